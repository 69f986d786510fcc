import type { IncomingMessage, ServerResponse } from "node:http";
import { ReadableStream } from "node:stream/web";

/** Node's request as the standard one. Its origin is the issuer's: what the caller wrote into `Host` decides nothing (SE-02). */
export function toRequest(incoming: IncomingMessage, origin: string): Request {
  const headers = new Headers();
  // `headersDistinct` keeps repeated fields apart: two Authorization headers must not look like one (BR-07).
  for (const [name, values] of Object.entries(incoming.headersDistinct)) for (const value of values ?? []) headers.append(name, value);
  const settled = incoming.headers["x-gatehouse-client-address"];
  if (typeof settled === "string") headers.set("x-gatehouse-client-address", settled);

  const method = incoming.method ?? "GET";
  const url = origin + (incoming.url ?? "/");
  if (method === "GET" || method === "HEAD") return new Request(url, { method, headers });
  // The types of the DOM do not know `duplex`, which Node asks for with a stream.
  return new Request(url, { method, headers, body: bodyOf(incoming), duplex: "half" } as RequestInit);
}

/** The body as a stream whose cancelling leaves the connection alone, so that the refusal can still be read (413). */
function bodyOf(incoming: IncomingMessage): ReadableStream<Uint8Array> {
  return ReadableStream.from(incoming.iterator({ destroyOnReturn: false })) as ReadableStream<Uint8Array>;
}

/** Writes a standard response out. */
export async function send(response: Response, outgoing: ServerResponse): Promise<void> {
  outgoing.statusCode = response.status;
  outgoing.setHeaders(response.headers);
  const cookies = response.headers.getSetCookie();
  if (cookies.length > 0) outgoing.setHeader("Set-Cookie", cookies);
  const body = response.body === null ? undefined : Buffer.from(await response.arrayBuffer());
  if (body) outgoing.setHeader("Content-Length", body.length);
  outgoing.end(body);
  if (!outgoing.req.complete) drain(outgoing.req);
}

/** A body that was refused unread is thrown away: the next request on this connection waits behind it. */
function drain(incoming: IncomingMessage): void {
  incoming.removeAllListeners("readable");
  incoming.resume();
}
