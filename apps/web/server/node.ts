import type { IncomingMessage, ServerResponse } from "node:http";
import { Readable } from "node:stream";

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
  const init = { method, headers, body: Readable.toWeb(incoming) as ReadableStream<Uint8Array>, duplex: "half" };
  return new Request(url, init);
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
}
