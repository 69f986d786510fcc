/** A confidential web application. */
export const port = "4000";
export const program = "server.ts";

export function registration({ port, secretOf }) {
  const client = {
    client_id: "example-relying-party",
    type: "web",
    client_secret: secretOf("example-relying-party"),
    redirect_uris: [`http://localhost:${port}/callback`],
    post_logout_redirect_uris: [`http://localhost:${port}/`],
    grant_types: ["authorization_code", "refresh_token"],
    scopes: ["openid", "profile", "email", "offline_access", "api:read"],
  };
  return {
    fixture: { applications: [{ name: "Example relying party", environments: { development: client } }] },
    registered: `${client.client_id} (application "Example relying party", development)`,
    settings: {
      CLIENT_ID: client.client_id,
      CLIENT_SECRET: client.client_secret,
      POST_LOGOUT_REDIRECT_URI: `http://localhost:${port}/`,
    },
  };
}
