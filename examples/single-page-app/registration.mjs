/** A public client: scripts in a browser cannot keep a secret. */
export const port = "4400";
export const program = "server.ts";

export function registration({ port }) {
  const client = {
    client_id: "example-single-page-app",
    type: "browser",
    redirect_uris: [`http://localhost:${port}/callback`],
    post_logout_redirect_uris: [`http://localhost:${port}/signed-out`],
    scopes: ["openid", "profile", "email", "offline_access", "api:read"],
  };
  return {
    fixture: { applications: [{ name: "Example single-page app", environments: { development: client } }] },
    registered: `${client.client_id} (application "Example single-page app", development)`,
    settings: { CLIENT_ID: client.client_id },
  };
}
