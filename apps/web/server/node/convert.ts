import type { IncomingMessage, ServerResponse } from "node:http";
import { ReadableStream } from "node:stream/web";
import { BodyError } from "@gatehouse/runtime";
import { awaitBody } from "../overload/load.ts";
import { LightResponse } from "./light/response.ts";

/**
 * Converts a Node request to a standard `Request`. Its origin is the issuer's; the `Host` header is ignored (SE-02,
 * NX-04).
 */
export function toRequest(incoming: IncomingMessage, origin: string): Request {
  const headers = new Headers();
  for (const [name, value] of Object.entries(incoming.headers)) {
    for (const one of [value ?? []].flat()) headers.append(name, one);
  }
  const method = incoming.method ?? "GET";
  const url = origin + (incoming.url ?? "/");
  if (method === "GET" || method === "HEAD") return new Request(url, { method, headers });
  // Node requires `duplex` for a stream; the DOM types do not have it.
  return new Request(url, { method, headers, body: bodyOf(incoming), duplex: "half" } as RequestInit);
}

/** The limit for every body, however the handler reads it. Our own handlers have much lower limits. */
export const MAX_BODY_BYTES = 4 * 1024 * 1024;

/** The body as a stream. Canceling it does not close the connection, so that the caller can still read the 413. */
function bodyOf(incoming: IncomingMessage): ReadableStream<Uint8Array> {
  return ReadableStream.from(chunksOf(incoming));
}

async function* chunksOf(incoming: IncomingMessage): AsyncGenerator<Uint8Array> {
  let length = 0;
  awaitBody(incoming);
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

/** Writes a response, with the headers of every response. Discards what was not read of the request. */
export function send(
  response: Response | LightResponse,
  outgoing: ServerResponse,
  everywhere: Record<string, string>,
): void | Promise<void> {
  const light = response instanceof LightResponse ? response : new LightResponse(response.body, response);
  return light.writeTo(outgoing, everywhere);
}
