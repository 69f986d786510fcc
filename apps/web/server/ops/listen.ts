import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { isLoopbackUrl, isOnLoopback } from "@gatehouse/runtime/loopback";
import type { App } from "../start/app.ts";

/** What the ops port answers at a path. */
export type OpsAnswer = { status?: number; contentType: string; text: string };
export type OpsAnswers = Readonly<Record<string, (url: URL) => OpsAnswer | Promise<OpsAnswer>>>;

const LIMITS = { headersTimeout: 5_000, requestTimeout: 5_000, keepAliveTimeout: 75_000, maxHeaderSize: 16_384 };

/**
 * Serves metrics and details, which are not for callers of the server, on a port of their own. OP-73. A port that was
 * set and is in use is an error; the default one in use, by another server on this machine, is a warning.
 */
export async function listenOps(
  { env, log }: Pick<App, "env" | "log">,
  answers: OpsAnswers,
): Promise<Server | undefined> {
  const { ops } = env;
  if (!ops) return undefined;
  const { host, port, isDefault } = ops;
  const server = createServer(LIMITS, (incoming, outgoing) => void answer(incoming, outgoing, answers, host));
  const error = await listening(server, host, port);
  if (!error) {
    log.info({ host, port }, "metrics are served");
    return server;
  }
  if (!isDefault)
    throw new Error(
      `GATEHOUSE_OPS_PORT: ${host}:${port} cannot be used (${error.code}). Set another port, or 0 for none.`,
    );
  log.warn(
    { host, port, code: error.code },
    "no metrics: another program has the port. Set GATEHOUSE_OPS_PORT to a free port, or to 0 if you want none",
  );
  return undefined;
}

/** Resolves to undefined when the server listens, and to the error if it cannot. */
function listening(server: Server, host: string, port: number): Promise<NodeJS.ErrnoException | undefined> {
  return new Promise((resolve) => {
    server.once("error", resolve);
    server.listen(port, host, () => resolve(undefined));
  });
}

async function answer(
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  answers: OpsAnswers,
  host: string,
): Promise<void> {
  const { status = 200, contentType, text } = await answerTo(incoming, answers, host);
  outgoing.writeHead(status, {
    "Content-Type": contentType,
    "Content-Length": Buffer.byteLength(text),
    "Cache-Control": "no-store",
    "X-Content-Type-Options": "nosniff",
    "Content-Security-Policy": "default-src 'none'",
    ...(status === 405 && { Allow: "GET, HEAD" }),
  });
  outgoing.end(incoming.method === "HEAD" ? undefined : text);
}

async function answerTo(incoming: IncomingMessage, answers: OpsAnswers, host: string): Promise<OpsAnswer> {
  // A page of a stranger can give its own name this machine's address, and would then be of the same origin.
  if (isOnLoopback(host) && !isLoopbackUrl(`http://${incoming.headers.host}`)) return says(403, "another host");
  if (incoming.method !== "GET" && incoming.method !== "HEAD") return says(405, "GET only");
  try {
    const url = new URL(incoming.url ?? "/", "http://ops");
    const found = Object.hasOwn(answers, url.pathname) ? answers[url.pathname] : undefined;
    return found ? await found(url) : says(404, `there is ${Object.keys(answers).join(", ")}`);
  } catch {
    return says(503, "this cannot be read now");
  }
}

const says = (status: number, text: string): OpsAnswer => ({ status, contentType: "text/plain", text: `${text}\n` });
