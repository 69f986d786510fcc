const WEBHOOK_WITH_SLASH = /^\/api\/webhooks\/[^/]+\/$/;

export type TrailingSlash = { kind: "none" } | { kind: "not_found" } | { kind: "alias"; pathname: string };

/**
 * Decides about a slash at the end of a path. `/token/` is not found: a redirect to `/token` would make the client post
 * its secret twice (NX-03). A webhook sender does not follow redirects, so there the slash is ignored.
 */
export function trailingSlash(pathname: string): TrailingSlash {
  if (pathname === "/" || !pathname.endsWith("/")) return { kind: "none" };
  return WEBHOOK_WITH_SLASH.test(pathname) ? { kind: "alias", pathname: pathname.slice(0, -1) } : { kind: "not_found" };
}
