// An MCP server that accepts tokens from Gatehouse only.
import type { IncomingMessage } from "node:http";
import { type Environment, gatehouse, type RequestAuth } from "@gatehouse/sdk/express";
import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { StreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/streamableHttp.js";
import express, { type NextFunction, type Request, type Response } from "express";
import { z } from "zod";

const PORT = Number(process.env["PORT"] ?? 4100);
/** Accept tokens of these environments only. By default production, or all of them while the issuer is on this machine. */
const environments = process.env["ENVIRONMENTS"]?.split(",") as Environment[] | undefined;

const [READ, WRITE] = ["notebook:read", "notebook:write"];
/** The scope that each tool needs in addition to {@link READ}, which every call needs. */
const SCOPE_OF_TOOL: Record<string, string> = { add_note: WRITE };

// GATEHOUSE_ISSUER, GATEHOUSE_CLIENT_ID, GATEHOUSE_CLIENT_SECRET and GATEHOUSE_RESOURCE configure it. The last is the URL
// of this server, under which it is registered as an API: tokens have it as their audience.
const { handlers, requireAuth } = gatehouse({ apiScopes: [READ, WRITE] });

/** Every scope that a message needs: a new token replaces the one that lacks some. */
function scopesOf(message: unknown): string[] {
  const wanted = [message].flat().flatMap((one) => {
    const { method, params } = (one ?? {}) as { method?: unknown; params?: { name?: unknown } };
    return method === "tools/call" ? (SCOPE_OF_TOOL[String(params?.name)] ?? []) : [];
  });
  return [...new Set([READ, ...wanted])];
}

/** The notes of each user, lost when the process exits. */
const notes = new Map<string, string[]>();

function notesServer({ userId, clientId }: RequestAuth): McpServer {
  const owner = userId ?? clientId;
  const server = new McpServer({ name: "notes", version: "1.0.0" });
  const say = (text: string) => ({ content: [{ type: "text" as const, text }] });
  server.registerTool("list_notes", { description: "Lists your notes" }, () =>
    say((notes.get(owner) ?? []).join("\n") || "No notes yet."),
  );
  server.registerTool(
    "add_note",
    { description: "Adds a note", inputSchema: { text: z.string().max(1000) } },
    ({ text }) => {
      notes.set(owner, [...(notes.get(owner) ?? []), text].slice(-100));
      return say("Noted.");
    },
  );
  return server;
}

async function answer(request: Request, response: Response): Promise<void> {
  const { auth, body } = request;
  if (!auth) throw new Error("requireAuth has not run");
  const incoming: IncomingMessage = request; // the SDK of MCP has another type for `auth`
  const transport = new StreamableHTTPServerTransport({ enableJsonResponse: true });
  await notesServer(auth).connect(transport);
  await transport.handleRequest(incoming, response, body);
}

const app = express().disable("x-powered-by");
app.use(handlers); // tells clients which authorization server to use, RFC 9728
app.use("/mcp", requireAuth({ scope: READ, environments }));
app.post(
  "/mcp",
  express.json({ limit: "1mb" }),
  (request, response, next) => requireAuth({ scope: scopesOf(request.body), environments })(request, response, next),
  answer,
);
// No sessions, so there is nothing to stream
app.all("/mcp", (_, response) => void response.status(405).set("Allow", "POST").end());
app.use((error: unknown, _request: Request, response: Response, next: NextFunction) => {
  if (response.headersSent) return next(error);
  console.error(error);
  return response.status(400).end();
});

app.listen(PORT, "localhost", () => console.log(`An MCP server at http://localhost:${PORT}/mcp`));
