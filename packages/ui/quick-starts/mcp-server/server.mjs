// npm install @modelcontextprotocol/sdk jose zod
// node server.mjs
import { createServer } from "node:http";
import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { StreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/streamableHttp.js";
import { createRemoteJWKSet, jwtVerify } from "jose";
import { z } from "zod";

const issuer = "__ISSUER__";
const resource = "__RESOURCE__"; // this server's URL, and the audience of its tokens
const scope = "__RESOURCE_SCOPE__";
const environments = ["__ENVIRONMENT__"];

const { origin, pathname, port } = new URL(resource);
const metadataPath = `/.well-known/oauth-protected-resource${pathname}`;
const metadata = {
  resource,
  authorization_servers: [issuer],
  scopes_supported: [scope],
  bearer_methods_supported: ["header"],
};
const keys = createRemoteJWKSet(new URL(`${issuer}/.well-known/jwks.json`));

function mcpServer(subject) {
  const server = new McpServer({ name: "my-server", version: "1.0.0" });
  server.registerTool(
    "greet",
    { description: "Says hello", inputSchema: { name: z.string().max(100) } },
    ({ name }) => ({
      content: [{ type: "text", text: `Hello ${name}, from ${subject}` }],
    }),
  );
  return server;
}

/** The claims of the access token, or undefined. RFC 9068 §4. One that is bound to a key would need a proof as well: RFC 9449 §7.2. */
async function claimsOf({ headers: { authorization = "" } }) {
  const token = /^Bearer +(\S+)$/i.exec(authorization)?.[1] ?? "";
  const checks = { issuer, audience: resource, typ: "at+jwt", algorithms: ["RS256"] };
  const claims = await jwtVerify(token, keys, checks).then(
    ({ payload }) => payload,
    () => undefined,
  );
  if (!claims || claims.cnf !== undefined || !environments.includes(claims.environment)) return undefined;
  return `${claims.scope}`.split(" ").includes(scope) ? claims : undefined;
}

createServer(async (request, response) => {
  const path = new URL(request.url ?? "/", origin).pathname;
  if (path === metadataPath)
    return response.writeHead(200, { "Content-Type": "application/json" }).end(JSON.stringify(metadata));
  if (path !== pathname) return response.writeHead(404).end();
  const claims = await claimsOf(request);
  if (!claims) {
    // RFC 9728 §5.1: tells the MCP client where to get a token.
    const challenge = `Bearer scope="${scope}", resource_metadata="${origin}${metadataPath}"`;
    return response.writeHead(401, { "WWW-Authenticate": challenge }).end();
  }
  const transport = new StreamableHTTPServerTransport({ enableJsonResponse: true });
  await mcpServer(claims.sub).connect(transport);
  return transport.handleRequest(request, response);
}).listen(Number(port || 4100), "localhost", () => console.log(`An MCP server at ${resource}`));
