/** A device client: public, so there is no secret to keep, and without a redirect URI. */
export const program = "cli.ts";

export function registration() {
  const client = {
    client_id: "example-device-cli",
    type: "device",
    grant_types: ["urn:ietf:params:oauth:grant-type:device_code", "refresh_token"],
    scopes: ["offline_access", "api:read"],
  };
  return {
    fixture: { applications: [{ name: "Example command line", environments: { development: client } }] },
    registered: `${client.client_id} (application "Example command line", development)`,
    settings: { CLIENT_ID: client.client_id },
  };
}
