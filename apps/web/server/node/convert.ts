import type { IncomingMessage, ServerResponse } from "node:http";
import { ReadableStream } from "node:stream/web";
import { BodyError } from "@gatehouse/net";
import { LightResponse } from "./light/response.ts";

/** Node's request as the standard one. Its origin is the issuer's: what the caller wrote into `Host` decides nothing (SE-02). */
export function toRequest(incoming: IncomingMessage, origin: string): Request {
  const headers = new Headers();
  for (const [name, value] of Object.entries(incoming.headers)) {
    for (const one of [value ?? []].flat()) headers.append(name, one);
  }
  const method = incoming.method ?? "GET";
  const url = origin + (incoming.url ?? "/");
  if (method === "GET" || method === "HEAD") return new Request(url, { method, headers });
  // The types of the DOM do not know `duplex`, which Node asks for with a stream.
  return new Request(url, { method, headers, body: bodyOf(incoming), duplex: "half" } as RequestInit);
}

/** No handler gets a larger body than this, however it reads it. Those of ours stay far below. */
export const MAX_BODY_BYTES = 4 * 1024 * 1024;

/** The body as a stream whose cancelling leaves the connection alone, so that the refusal can still be read (413). */
function bodyOf(incoming: IncomingMessage): ReadableStream<Uint8Array> {
  return ReadableStream.from(chunksOf(incoming));
}

async function* chunksOf(incoming: IncomingMessage): AsyncGenerator<Uint8Array> {
  let length = 0;
  try {
    for await (const chunk of incoming.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
      length += chunk.length;
      if (length > MAX_BODY_BYTES) throw new BodyError("too_large", MAX_BODY_BYTES);
      yield chunk;
    }
  } catch (cause) {
    throw cause instanceof BodyError ? cause : new BodyError("incomplete", MAX_BODY_BYTES, undefined, { cause });
  }
}

/** Writes a response out, with the headers that every answer has; what was not read of the request is thrown away. */
export async function send(
  response: Response | LightResponse,
  outgoing: ServerResponse,
  everywhere: Record<string, string>,
): Promise<void> {
  const light = response instanceof LightResponse ? response : new LightResponse(response.body, response);
  await light.writeTo(outgoing, everywhere);
  if (!outgoing.req.complete) drain(outgoing.req);
}

/** A body that was refused unread is thrown away: the next request on this connection waits behind it. */
function drain(incoming: IncomingMessage): void {
  incoming.removeAllListeners("readable");
  incoming.resume();
}
