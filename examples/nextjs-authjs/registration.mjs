/**
 * A confidential web application. Auth.js keeps its tokens in a cookie, which server components cannot write: see the
 * README.
 */
export const port = "4300";
export const program = "node_modules/next/dist/bin/next";
export const args = ["dev", "-H", "localhost"];

export function registration({ port, secretOf }) {
  const client = {
    client_id: "example-nextjs",
    type: "web",
    client_secret: secretOf("example-nextjs"),
    redirect_uris: [`http://localhost:${port}/api/auth/callback/gatehouse`],
    grant_types: ["authorization_code", "refresh_token"],
    scopes: ["openid", "profile", "email", "offline_access", "api:read"],
    rotate_refresh_tokens: false,
  };
  return {
    fixture: { applications: [{ name: "Example Next.js app", environments: { development: client } }] },
    registered: `${client.client_id} (application "Example Next.js app", development)`,
    settings: {
      CLIENT_ID: client.client_id,
      CLIENT_SECRET: client.client_secret,
      AUTH_SECRET: secretOf("example-nextjs-cookies"),
      AUTH_URL: `http://localhost:${port}`,
    },
  };
}
