import { createHash } from "node:crypto";
import type { Config } from "./deps.ts";
import { CORS, type Endpoint, methodNotAllowed, preflight } from "./http.ts";
import { refuse } from "./refuse.ts";

const ALLOW = "GET, HEAD, OPTIONS";

/** A public JSON document that depends on the configuration alone: built once, then served from memory. MD-08, PM-03. */
export function publishedDocument(path: string, build: (config: Config) => object): Endpoint {
  const built = new WeakMap<Config, { body: string; headers: Record<string, string> }>();

  const documentFor = (config: Config) => {
    const known = built.get(config);
    if (known) return known;
    const body = JSON.stringify(build(config));
    const tag = `"${createHash("sha256").update(body).digest("base64url").slice(0, 22)}"`;
    const made = { body, headers: { ...CORS, "Content-Type": "application/json", "Cache-Control": "public, max-age=3600", ETag: tag } };
    built.set(config, made);
    return made;
  };

  return async (request, deps, caller) => {
    if (request.method === "OPTIONS") return preflight("GET");
    if (request.method !== "GET" && request.method !== "HEAD") {
      return refuse(methodNotAllowed(request, ALLOW), { endpoint: path, clientId: null }, deps, caller, CORS);
    }
    const { body, headers } = documentFor(deps.config);
    if (isFresh(request.headers.get("if-none-match"), headers["ETag"])) return new Response(null, { status: 304, headers });
    return new Response(request.method === "HEAD" ? null : body, { headers });
  };
}

/** RFC 9110 §13.1.2, weak comparison. */
function isFresh(condition: string | null, tag: string | undefined): boolean {
  if (condition === null) return false;
  return condition.split(",").some((one) => one.trim() === "*" || one.trim().replace(/^W\//, "") === tag);
}

const metadataUrls = new Map<string, string>();

/** Where the metadata of our protected resource is: the well-known path goes between host and path. RFC 9728 §3.1. */
export function resourceMetadataUrl({ resource }: Pick<Config, "resource">): string {
  const known = metadataUrls.get(resource);
  if (known !== undefined) return known;
  const { origin, pathname } = new URL(resource);
  const url = `${origin}/.well-known/oauth-protected-resource${pathname === "/" ? "" : pathname}`;
  metadataUrls.set(resource, url);
  return url;
}
