import { type ActiveSession, createAuthMiddleware, protectCallback, readSession } from "@gatehouse/auth";
import { PROTECTED_PATTERNS } from "./access.ts";
import { startApp } from "./deps.ts";

/**
 * The guard in front of every route, in the variant that protects what it names (D10): 400 for a path with two
 * readings, 401 in JSON for a protected route without a session, undefined to let the request through.
 */
export const gate = createAuthMiddleware<ActiveSession>(protectCallback<ActiveSession>(PROTECTED_PATTERNS).callback, {
  readSession: async (request) => readSession(request.headers.get("cookie"), (await startApp()).deps),
  skip: protectCallback().skip ?? [],
});

const WEBHOOK_WITH_SLASH = /^\/api\/webhooks\/[^/]+\/$/;

/**
 * What a slash at the end means: `/token/` is no alias of `/token`, since following a redirect would post a secret twice
 * (NX-03); a webhook sender gets its delivery through all the same, since it follows no redirects.
 */
export function trailingSlash(pathname: string): { kind: "none" } | { kind: "elsewhere" } | { kind: "same_as"; pathname: string } {
  if (pathname === "/" || !pathname.endsWith("/")) return { kind: "none" };
  return WEBHOOK_WITH_SLASH.test(pathname) ? { kind: "same_as", pathname: pathname.slice(0, -1) } : { kind: "elsewhere" };
}
