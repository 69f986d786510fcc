/** The MCP server is an API with scopes; the client is for the MCP Inspector. */
export const port = "4100";
export const program = "server.ts";

export function registration({ port }) {
  const resource = `http://localhost:${port}/mcp`;
  const client = {
    client_id: "example-mcp-client",
    type: "native",
    redirect_uris: ["http://localhost:6274/oauth/callback", "http://localhost:6274/oauth/callback/debug"],
    grant_types: ["authorization_code", "refresh_token"],
    scopes: ["offline_access", "notebook:read", "notebook:write"],
    resources: [resource],
  };
  const scopes = { "notebook:read": "see your notes", "notebook:write": "add notes" };
  return {
    fixture: {
      resources: [{ id: resource, name: "Example notes", scopes, token_format: "jwt", strangers: "asked" }],
      applications: [{ name: "Example MCP client", environments: { development: client } }],
    },
    registered: `${resource}, and the client ${client.client_id} (development)`,
    settings: { RESOURCE: resource },
  };
}
