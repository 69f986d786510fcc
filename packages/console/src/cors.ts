import { CORS_REQUEST_HEADERS, ownApiEnvironments } from "@gatehouse/auth";
import { listBrowserRedirectUris } from "./clients/queries.ts";
import type { OperationDeps } from "./deps.ts";

type Part = Pick<OperationDeps, "reads" | "config" | "now">;

/** The registered origins may be this old, in seconds. */
const FRESH_SECONDS = 1;
/** One reading for each database of this process; the promise, so that concurrent requests share it. */
const readings = new WeakMap<Part["reads"], { at: number; origins: Promise<ReadonlySet<string>> }>();

/**
 * The headers that let a page of `origin` read an answer of /trpc. Undefined unless `origin` has a single-page app: an
 * enabled client of type `browser` that an administrator registered, in an environment whose tokens our API accepts.
 * Its previews count while their slots live. There is no `Access-Control-Allow-Credentials`, so such a page never uses
 * the session cookie, only a bearer token.
 */
export async function corsHeaders(origin: string, deps: Part): Promise<Record<string, string> | undefined> {
  if (!(await registeredOrigins(deps)).has(origin)) return undefined;
  return {
    "Access-Control-Allow-Origin": origin,
    "Access-Control-Expose-Headers": "WWW-Authenticate, Retry-After, DPoP-Nonce",
  };
}

/** The answer to a preflight request; without `cors` the browser makes no request. */
export function preflight(cors: Record<string, string> = {}): Response {
  const allowed = {
    "Access-Control-Allow-Methods": "GET, POST",
    "Access-Control-Allow-Headers": CORS_REQUEST_HEADERS,
    "Access-Control-Max-Age": "600",
  };
  const granted = "Access-Control-Allow-Origin" in cors ? { ...cors, ...allowed } : {};
  return new Response(null, { status: 204, headers: { Vary: "Origin", "Cache-Control": "no-store", ...granted } });
}

/** Empty while the database is unavailable: a page then sees a network error, and tries again. */
function registeredOrigins({ reads, config, now }: Part): Promise<ReadonlySet<string>> {
  const known = readings.get(reads);
  const age = known && now() - known.at;
  if (known && age !== undefined && age >= 0 && age < FRESH_SECONDS) return known.origins;
  const origins = listBrowserRedirectUris(reads, ownApiEnvironments(config), now()).then(
    (uris) => new Set(uris.map((uri) => new URL(uri).origin)),
    () => new Set<string>(),
  );
  readings.set(reads, { at: now(), origins });
  return origins;
}
