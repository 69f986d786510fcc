// An MCP server that accepts tokens from Gatehouse only. Everything about tokens is in this file.
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { StreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/streamableHttp.js";
import { createRemoteJWKSet, jwtVerify } from "jose";
import { z } from "zod";

const ISSUER = process.env["ISSUER"] ?? "http://localhost:3000";
const PORT = Number(process.env["PORT"] ?? 4100);
/** The id under which this server is registered as an API. Tokens have it as their audience. */
const RESOURCE = process.env["RESOURCE"] ?? `http://localhost:${PORT}/mcp`;
/**
 * Accept tokens of these environments only. On one machine all of them; a production server accepts production only.
 */
const ENVIRONMENTS =
  process.env["ENVIRONMENTS"] ?? (ISSUER.startsWith("http:") ? "development,staging,production" : "production");

const MOST_BYTES = 1024 * 1024;
const [READ, WRITE] = ["notebook:read", "notebook:write"];
/** The scope that each tool needs in addition to {@link READ}, which every call needs. */
const SCOPE_OF_TOOL: Record<string, string> = { add_note: WRITE };

/** RFC 9728: tells clients which authorization server to use. */
const METADATA = {
  resource: RESOURCE,
  authorization_servers: [ISSUER],
  scopes_supported: [READ, WRITE],
  bearer_methods_supported: ["header"],
  resource_name: "Notes",
};
const METADATA_PATH = `/.well-known/oauth-protected-resource${new URL(RESOURCE).pathname}`;
const METADATA_URL = new URL(METADATA_PATH, RESOURCE).href;
const keys = createRemoteJWKSet(new URL(`${ISSUER}/.well-known/jwks.json`));

type Caller = { subject: string; scopes: string[] };
/** Thrown to reject a request; becomes the status and the challenge of the response. */
class Refusal extends Error {
  readonly status: 401 | 403;
  readonly challenge: string;
  constructor(status: 401 | 403, error: string | undefined, scope: string) {
    super(error);
    this.status = status;
    this.challenge = `Bearer ${error ? `error="${error}", ` : ""}scope="${scope}", resource_metadata="${METADATA_URL}"`;
  }
}

/**
 * Checks signature, issuer, audience, type, time and environment. RFC 9068 §4. A token that is bound to a key (`cnf`)
 * is no bearer token, and this server checks no proofs, so it takes none. RFC 9449 §7.2, RFC 8705 §3.
 */
async function authenticate({ headers: { authorization = "" } }: IncomingMessage): Promise<Caller> {
  const token = /^Bearer +(\S+)$/i.exec(authorization)?.[1];
  if (token === undefined) throw new Refusal(401, undefined, READ);
  const checks = { issuer: ISSUER, audience: RESOURCE, typ: "at+jwt", algorithms: ["RS256"] };
  const verified = await jwtVerify(token, keys, checks).catch(() => undefined);
  const { sub = "", scope = "", environment, cnf } = verified?.payload ?? {};
  if (!ENVIRONMENTS.split(",").includes(String(environment)) || cnf !== undefined)
    throw new Refusal(401, "invalid_token", READ);
  return { subject: sub, scopes: String(scope).split(" ") };
}

/** Names the missing scopes together with those of the token, because the new token replaces it. */
function requireScopes(caller: Caller, message: unknown): void {
  const messages = Array.isArray(message) ? message : [message];
  const wanted = messages.flatMap(({ method, params }) =>
    method === "tools/call" ? (SCOPE_OF_TOOL[params?.name] ?? []) : [],
  );
  if ([READ, ...wanted].every((scope) => caller.scopes.includes(scope))) return;
  throw new Refusal(403, "insufficient_scope", [...new Set([READ, ...wanted])].join(" "));
}

/** The notes of each user, lost when the process exits. */
const notes = new Map<string, string[]>();

function notesServer({ subject }: Caller): McpServer {
  const server = new McpServer({ name: "notes", version: "1.0.0" });
  const say = (text: string) => ({ content: [{ type: "text" as const, text }] });
  server.registerTool("list_notes", { description: "Lists your notes" }, () =>
    say((notes.get(subject) ?? []).join("\n") || "No notes yet."),
  );
  server.registerTool(
    "add_note",
    { description: "Adds a note", inputSchema: { text: z.string().max(1000) } },
    ({ text }) => {
      notes.set(subject, [...(notes.get(subject) ?? []), text].slice(-100));
      return say("Noted.");
    },
  );
  return server;
}

async function readJson(request: IncomingMessage): Promise<unknown> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request) {
    chunks.push(chunk);
    bytes += chunk.length;
    if (bytes > MOST_BYTES) throw new Error("the message is too long");
  }
  return JSON.parse(Buffer.concat(chunks).toString());
}

async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { pathname } = new URL(request.url ?? "/", RESOURCE);
  if (pathname === METADATA_PATH)
    return void response.writeHead(200, { "Content-Type": "application/json" }).end(JSON.stringify(METADATA));
  if (pathname !== new URL(RESOURCE).pathname) return void response.writeHead(404).end();

  const caller = await authenticate(request);
  // No sessions, so there is nothing to stream
  if (request.method !== "POST") return void response.writeHead(405, { Allow: "POST" }).end();
  const message = await readJson(request);
  requireScopes(caller, message);
  const transport = new StreamableHTTPServerTransport({ enableJsonResponse: true });
  await notesServer(caller).connect(transport);
  await transport.handleRequest(request, response, message);
}

createServer((request, response) => {
  handle(request, response).catch((thrown: unknown) => {
    if (thrown instanceof Refusal) response.writeHead(thrown.status, { "WWW-Authenticate": thrown.challenge }).end();
    else response.writeHead(400).end();
  });
}).listen(PORT, "localhost", () => console.log(`An MCP server at ${RESOURCE}, protected by ${ISSUER}`));
