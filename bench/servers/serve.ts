import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from "node:http";
import type { Ask, Told } from "../processes.ts";
import type { Mintable } from "../subject.ts";

export type Mint = Partial<Record<Mintable, (count: number) => string[] | Promise<string[]>>>;

const tell = (message: Told) => process.send?.(message);

/** The database file of this server. */
export const databaseFile = process.argv[2] ?? ":memory:";

/** Listens on a free port, reports it, and then mints values on request. */
export function serve(listener: RequestListener, mint: Mint): void {
  const server = createServer(listener);
  server.listen(0, "127.0.0.1", () => {
    const address = server.address();
    if (address === null || typeof address !== "object") throw new Error("no port");
    const { port } = address;
    process.on("message", async ({ mint: kind, count }: Ask) =>
      tell({ port, minted: (await mint[kind]?.(count)) ?? [] }),
    );
    tell({ port, minted: [] });
  });
  process.once("SIGTERM", () => process.exit(0));
  process.once("disconnect", () => process.exit(0));
}

/** Writes a JSON response. */
export function sendJson(
  outgoing: ServerResponse,
  status: number,
  body: unknown,
  headers: Record<string, string> = {},
): void {
  const text = JSON.stringify(body);
  outgoing.writeHead(status, {
    "Content-Type": "application/json",
    "Content-Length": Buffer.byteLength(text),
    ...headers,
  });
  outgoing.end(text);
}

/** The complete body of a request. */
export function readBody(incoming: IncomingMessage): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    incoming.on("data", (chunk: Buffer) => chunks.push(chunk));
    incoming.once("end", () => resolve(chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks)));
    incoming.once("error", reject);
  });
}

/** The token in an Authorization header. */
export function bearerOf(incoming: IncomingMessage): string | undefined {
  return /^Bearer (\S+)$/.exec(incoming.headers.authorization ?? "")?.[1];
}
