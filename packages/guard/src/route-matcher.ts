import { MalformedPathError, normalisePath, pathOf } from "./path.ts";

/**
 * True when the path (of a request, or given) matches. Throws {@link MalformedPathError} for a path that cannot be
 * normalised.
 */
export type RouteMatcher = (target: string | Pick<Request, "url">) => boolean;

/**
 * Builds a matcher from patterns. Matching is by whole segments and ignores case: `/a/b` is that path · `:name` is one
 * segment · `:name+` one or more, `:name*` any number, as the last segment · `(.*)` at the end is the path before it
 * and everything below. Unlike in other libraries, `/api/protected(.*)` does not match `/api/protectedX`, which is
 * another route. Throws on any other syntax.
 */
export function createRouteMatcher(patterns: readonly string[]): RouteMatcher {
  const matches = matchNormalised(patterns);
  return (target) => {
    const path = normalisePath(typeof target === "string" ? target : pathOf(target.url));
    if (path === undefined) throw new MalformedPathError("the path can be read in more than one way");
    return matches(path);
  };
}

/**
 * As {@link createRouteMatcher}, for paths that {@link normalisePath} returned. One regular expression for all
 * patterns.
 */
export function matchNormalised(patterns: readonly string[]): (path: string) => boolean {
  const rules = new RegExp(`^(?:${patterns.map(sourceOf).join("|")})$`);
  return patterns.length === 0 ? () => false : (path) => rules.test(path);
}

/** A normalised path has no empty segments and no slash at its end; alone, `/` is the path without segments. */
function sourceOf(pattern: string): string {
  const [, body = "", tail = ""] = /^(.*?)(\/?\(\.\*\)|\/:\w+[*+])?$/s.exec(pattern) ?? [];
  if (!pattern.startsWith("/") && pattern !== "(.*)")
    throw new Error(`a route pattern must start with a slash: ${pattern}`);
  const segments = body.split("/").slice(1);
  const head = segments.map((segment) => sourceOfSegment(segment, pattern)).join("");
  if (tail === "") return head;
  return head + (tail.endsWith("+") ? "/[^]+" : "(?:/[^]*)?");
}

function sourceOfSegment(segment: string, pattern: string): string {
  if (/^:\w+$/.test(segment)) return "/[^/]+";
  if (/^[\w.@~-]+$/.test(segment) || (segment === "" && pattern === "/"))
    return `/${segment.toLowerCase().replaceAll(".", "\\.")}`;
  throw new Error(`unsupported route pattern: ${pattern}`);
}
