import { MalformedPathError, normalisePath, pathOf } from "./path.ts";

/** True when the path (of a request, or given) matches. Throws {@link MalformedPathError} for a path that cannot be normalised. */
export type RouteMatcher = (target: string | Pick<Request, "url">) => boolean;

/**
 * Builds a matcher from patterns. Matching is by whole segments and ignores case: `/a/b` is that path · `:name` is one segment ·
 * `:name+` one or more, `:name*` any number, as the last segment · `(.*)` at the end is the path before it and everything below.
 * Unlike in other libraries, `/api/protected(.*)` does not match `/api/protectedX`, which is another route. Throws on any other
 * syntax.
 */
export function createRouteMatcher(patterns: readonly string[]): RouteMatcher {
  const rules = patterns.map(parsePattern);
  return (target) => {
    const path = normalisePath(typeof target === "string" ? target : pathOf(target.url));
    if (path === undefined) throw new MalformedPathError("the path can be read in more than one way");
    const segments = path.split("/").filter((segment) => segment !== "");
    return rules.some((rule) => matches(rule, segments));
  };
}

/** Leading segments, each a literal or null for any one, and how many more may follow. */
type Rule = { head: (string | null)[]; min: number; max: number };

function matches({ head, min, max }: Rule, segments: readonly string[]): boolean {
  const more = segments.length - head.length;
  return more >= min && more <= max && head.every((wanted, at) => wanted === null || wanted === segments[at]);
}

function parsePattern(pattern: string): Rule {
  const [, body = "", tail = ""] = /^(.*?)(\/?\(\.\*\)|\/:\w+[*+])?$/s.exec(pattern) ?? [];
  if (!pattern.startsWith("/") && pattern !== "(.*)") throw new Error(`a route pattern must start with a slash: ${pattern}`);
  const head = body
    .split("/")
    .slice(1)
    .map((segment) => parseSegment(segment, pattern));
  return { head: body === "/" ? [] : head, min: tail.endsWith("+") ? 1 : 0, max: tail === "" ? 0 : Number.POSITIVE_INFINITY };
}

function parseSegment(segment: string, pattern: string): string | null {
  if (/^:\w+$/.test(segment)) return null;
  if (/^[\w.@~-]+$/.test(segment) || (segment === "" && pattern === "/")) return segment.toLowerCase();
  throw new Error(`unsupported route pattern: ${pattern}`);
}
