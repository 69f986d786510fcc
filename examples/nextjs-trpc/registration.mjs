/** The client of a product that uses the SDK, as `gatehouse init` registers one. PK-15. */
export const port = "4700";
export const program = "node_modules/next/dist/bin/next";
export const args = ["dev", "-H", "localhost"];

export function registration({ port, secretOf }) {
  const url = `http://localhost:${port}`;
  const client = {
    client_id: "example-nextjs-trpc",
    type: "web",
    client_secret: secretOf("example-nextjs-trpc"),
    first_party: true,
    redirect_uris: [`${url}/auth/callback`],
    post_logout_redirect_uris: [`${url}/`],
    backchannel_logout_uri: `${url}/auth/backchannel-logout`,
    rotate_refresh_tokens: false,
    id_token_algorithm: "ES256",
    scopes: ["openid", "profile", "email", "offline_access"],
  };
  return {
    fixture: { applications: [{ name: "Example reading list", environments: { development: client } }] },
    registered: `${client.client_id} (application "Example reading list", development)`,
    settings: {
      GATEHOUSE_CLIENT_ID: client.client_id,
      GATEHOUSE_CLIENT_SECRET: client.client_secret,
      GATEHOUSE_APP_URL: url,
    },
  };
}
