/** The API with its scopes, the client it introspects with, and a client that calls it. */
export const port = "4200";
export const program = "server.ts";

export function registration({ port, secretOf }) {
  const resource = `http://localhost:${port}`;
  const jwt = process.env.TOKENS === "jwt";
  const api = {
    client_id: "example-stock-api",
    type: "service",
    client_secret: secretOf("example-stock-api"),
    scopes: [],
    resource_server: true,
    serves: [resource],
  };
  const caller = {
    client_id: "example-stock-caller",
    type: "service",
    client_secret: secretOf("example-stock-caller"),
    scopes: ["shelf:read", "shelf:write"],
    resources: [resource],
  };
  const scopes = { "shelf:read": "see what is in stock", "shelf:write": "change what is in stock" };
  return {
    fixture: {
      resources: [{ id: resource, name: "Example stock", scopes, token_format: jwt ? "jwt" : "opaque" }],
      applications: [
        { name: "Example stock API", environments: { development: api } },
        { name: "Example stock caller", environments: { development: caller } },
      ],
    },
    registered: `${resource}, the API's own client ${api.client_id}, and the client ${caller.client_id} that may call it (development)`,
    settings: {
      GATEHOUSE_RESOURCE: resource,
      GATEHOUSE_CLIENT_ID: api.client_id,
      GATEHOUSE_CLIENT_SECRET: api.client_secret,
    },
  };
}
