import { type IncomingMessage, type RequestOptions, request, type ServerResponse } from "node:http";
import { pipeline } from "node:stream/promises";

/** Headers of one connection, not of the message (RFC 9110 §7.6.1). Each side has its own. */
const OF_CONNECTION = [
  "connection",
  "keep-alive",
  "proxy-connection",
  "te",
  "trailer",
  "transfer-encoding",
  "upgrade",
  "expect",
];

/**
 * Passes a request to another server, and its response back. Headers that `outgoing` has already are replaced by those
 * of the response. Rejects if the other server fails, not if the client leaves.
 */
export async function forward(incoming: IncomingMessage, outgoing: ServerResponse, to: RequestOptions): Promise<void> {
  const response = await responseTo(incoming, outgoing, to).catch((error: unknown) => {
    if (!outgoing.destroyed) throw error;
  });
  if (!response) return;
  copyHead(response, outgoing);
  await pipeline(response, outgoing).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== "ERR_STREAM_PREMATURE_CLOSE") throw error; // that one is of the client's connection
  });
}

/** Gives `outgoing` the status and the headers of the other server's response. */
export function copyHead(response: IncomingMessage, outgoing: ServerResponse): void {
  outgoing.statusCode = response.statusCode ?? 502;
  for (const [name, values = []] of Object.entries(response.headersDistinct)) {
    if (!OF_CONNECTION.includes(name)) outgoing.setHeader(name, values.length === 1 ? String(values[0]) : values);
  }
}

/** Passes a request to another server. Rejects if that one fails, or the client leaves. */
export function responseTo(
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  to: RequestOptions,
): Promise<IncomingMessage> {
  const headers = Object.fromEntries(
    Object.entries(incoming.headers).filter(([name]) => !OF_CONNECTION.includes(name)),
  );
  // A body without a length. Node would send that of a GET unframed, and the other server would read it as the next
  // request.
  if (incoming.headers["transfer-encoding"] !== undefined) headers["transfer-encoding"] = "chunked";
  return new Promise((resolve, reject) => {
    const forwarded = request({ ...to, method: incoming.method, path: incoming.url, headers });
    forwarded.once("response", resolve);
    forwarded.on("error", reject);
    outgoing.once("close", () => forwarded.destroy());
    incoming.pipe(forwarded);
  });
}
