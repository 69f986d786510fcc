import { createHash } from "node:crypto";
import type { Config, Deps } from "../deps.ts";
import { refuse } from "../errors/refuse.ts";
import { CORS, type Endpoint, methodNotAllowed, preflight } from "./endpoint.ts";

const ALLOW = "GET, HEAD, OPTIONS";
const PUBLISHED_MAX_AGE_SECONDS = 3600;

/** A document ready to send. */
type Rendered = { body: string; headers: Readonly<Record<string, string>> };

/**
 * An endpoint for a public JSON document that depends only on the configuration. Built once and cached. MD-08, PM-03.
 */
export function publishedDocument(path: string, build: (config: Config) => object): Endpoint {
  return publishedDocumentFrom(path, ({ config }) => config, build);
}

/** As {@link publishedDocument}, for a document that depends on an immutable value. Built once per value. */
export function publishedDocumentFrom<Source extends object>(
  path: string,
  /** Finds the value. Throws the error to answer with, for example when there is no such document. */
  find: (deps: Deps, request: Request) => Source | Promise<Source>,
  build: (source: Source) => object,
): Endpoint {
  const built = new WeakMap<Source, Rendered>();

  const documentFor = (source: Source) => {
    const known = built.get(source);
    if (known) return known;
    const made = render(build(source));
    built.set(source, made);
    return made;
  };

  return async (request, deps, caller) => {
    if (request.method === "OPTIONS") return preflight("GET");
    try {
      if (request.method !== "GET" && request.method !== "HEAD") throw methodNotAllowed(request, ALLOW);
      const { body, headers } = documentFor(await find(deps, request));
      if (matchesTag(request.headers.get("if-none-match"), headers["ETag"]))
        return new Response(null, { status: 304, headers });
      return new Response(request.method === "HEAD" ? null : body, { headers });
    } catch (thrown) {
      return refuse(thrown, { endpoint: path, clientId: null }, deps, caller, CORS);
    }
  };
}

function render(document: object): Rendered {
  const body = JSON.stringify(document);
  const tag = `"${createHash("sha256").update(body).digest("base64url").slice(0, 22)}"`;
  const caching = { "Cache-Control": `public, max-age=${PUBLISHED_MAX_AGE_SECONDS}`, ETag: tag };
  return { body, headers: Object.freeze({ ...CORS, "Content-Type": "application/json", ...caching }) };
}

/**
 * Whether a caller that sent this `If-None-Match` has the response with this tag. RFC 9110 §13.1.2, weak comparison.
 */
export function matchesTag(condition: string | null, tag: string | undefined): boolean {
  if (condition === null) return false;
  return condition.split(",").some((one) => one.trim() === "*" || one.trim().replace(/^W\//, "") === tag);
}
