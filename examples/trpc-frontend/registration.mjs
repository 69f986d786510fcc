/**
 * A public client: scripts in a browser cannot keep a secret. Its origin may read /trpc because it is registered as
 * `browser`.
 */
export const port = "4600";
export const program = "node_modules/vite/bin/vite.js";

export function registration({ port }) {
  const client = {
    client_id: "example-trpc-frontend",
    type: "browser",
    redirect_uris: [`http://localhost:${port}/callback`],
    post_logout_redirect_uris: [`http://localhost:${port}/`],
    scopes: ["openid", "profile", "email", "offline_access", "notes:read", "notes:write"],
  };
  return {
    fixture: { applications: [{ name: "Example tRPC front end", environments: { development: client } }] },
    registered: `${client.client_id} (application "Example tRPC front end", development)`,
    settings: { CLIENT_ID: client.client_id },
  };
}
