/** A confidential client that acts for itself. */
export const program = "service.ts";

export function registration({ secretOf }) {
  const client = {
    client_id: "example-service",
    type: "service",
    client_secret: secretOf("example-service"),
    scopes: ["api:read"],
  };
  return {
    fixture: { applications: [{ name: "Example service", environments: { development: client } }] },
    registered: `${client.client_id} (application "Example service", development)`,
    settings: { CLIENT_ID: client.client_id, CLIENT_SECRET: client.client_secret },
  };
}
