/** The MCP server is an API with scopes, and has a client; the other client is for the MCP Inspector. */
export const port = "4100";
export const program = "server.ts";

export function registration({ port, secretOf }) {
  const resource = `http://localhost:${port}/mcp`;
  const server = {
    client_id: "example-mcp-server",
    type: "service",
    client_secret: secretOf("example-mcp-server"),
    scopes: [],
    resource_server: true,
    serves: [resource],
  };
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
      applications: [
        { name: "Example MCP server", environments: { development: server } },
        { name: "Example MCP client", environments: { development: client } },
      ],
    },
    registered: `${resource}, its own client ${server.client_id}, and the client ${client.client_id} (development)`,
    settings: {
      GATEHOUSE_RESOURCE: resource,
      GATEHOUSE_CLIENT_ID: server.client_id,
      GATEHOUSE_CLIENT_SECRET: server.client_secret,
    },
  };
}
