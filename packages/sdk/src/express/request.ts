import type { IncomingMessage } from "node:http";
import type { Request as ExpressRequest } from "express";
import type { Incoming } from "../core.ts";
import { GatehouseError } from "../error.ts";

/** Forms of the handlers are far smaller. */
const MAX_BODY_BYTES = 64 * 1024;
/** Only to make an absolute URL of a path. Every URL that counts comes from the settings. */
const NOWHERE = "http://localhost";

const known = new WeakMap<IncomingMessage, Incoming>();

/** Methods that no `Request` can have. They are for the app. */
export const isWebMethod = (method: string) => !/^(?:trace|track|connect)$/i.test(method);

/** The request as adapters read it. The same object for all middleware of a request, so that its session is read once. */
export function incomingOf(req: ExpressRequest): Incoming {
  const before = known.get(req);
  if (before) return before;
  // A client can send an absolute URL, or none; the app has no route for either.
  const path = req.originalUrl.startsWith("/") ? req.originalUrl : "/";
  const incoming = { method: req.method, url: NOWHERE + path, headers: headersOf(req) };
  known.set(req, incoming);
  return incoming;
}

/**
 * With a body, for handlers that read a form. A body parser may have run before: then its result is encoded again.
 */
export async function toWebRequest(req: ExpressRequest): Promise<Request> {
  const { method, url, headers } = incomingOf(req);
  if (method === "GET" || method === "HEAD") return new Request(url, { method, headers });
  return new Request(url, { method, headers, body: lazyBody(req), duplex: "half" } as RequestInit);
}

/**
 * Node keeps one of several `Authorization` headers and drops the others, which must be an error (BR-07), so the headers
 * are read as they were sent. Cookies alone are joined by a semicolon.
 */
function headersOf({ rawHeaders, headers: { cookie } }: IncomingMessage): Headers {
  const headers = new Headers();
  for (let at = 0; at + 1 < rawHeaders.length; at += 2) {
    const [name = "", value = ""] = rawHeaders.slice(at, at + 2);
    if (!name.startsWith(":") && name.toLowerCase() !== "cookie") headers.append(name, value);
  }
  if (cookie !== undefined) headers.set("cookie", cookie);
  return headers;
}

/** Nothing is read of the request before a handler reads the body: other paths leave it to the app. */
function lazyBody(req: ExpressRequest): ReadableStream<Uint8Array> {
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        controller.enqueue(parsedBody(req) ?? (await readBody(req)));
        controller.close();
      },
    },
    { highWaterMark: 0 },
  );
}

/** The body that a parser of the app has read; undefined if none has. Express 4 starts with `{}`, which may be either. */
function parsedBody(req: ExpressRequest): Uint8Array | undefined {
  const { body } = req as { body?: unknown };
  if (body instanceof Uint8Array) return body;
  if (typeof body === "string") return Buffer.from(body);
  if (!req.readableEnded || typeof body !== "object" || body === null) return undefined;
  const isForm = req.is("application/x-www-form-urlencoded") !== false;
  return Buffer.from(isForm ? new URLSearchParams(body as Record<string, string>).toString() : JSON.stringify(body));
}

async function readBody(req: IncomingMessage): Promise<Uint8Array> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of req) {
    chunks.push(chunk);
    bytes += chunk.length;
    if (bytes > MAX_BODY_BYTES) throw new GatehouseError("invalid_request", "the body is too large");
  }
  return Buffer.concat(chunks);
}
