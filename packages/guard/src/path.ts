/** Thrown for a path that can be read in more than one way. Answer it with 400 before anything matches it. */
export class MalformedPathError extends Error {
  override readonly name = "MalformedPathError";
}

/** A path that is already normalised, as almost every path is. */
const NORMALISED = /^(?:\/(?!\.{1,2}(?:\/|$))[a-z0-9._~-]+)+$/;

/**
 * The path that rules match: decoded once, `//` collapsed, lower case, no trailing slash. Undefined for a path that two
 * parsers could read differently: malformed or double escapes, control characters, backslashes, dot segments. Answer
 * those with 400. SD-02, N39.
 */
export function normalisePath(pathname: string): string | undefined {
  if (NORMALISED.test(pathname)) return pathname;
  let path: string;
  try {
    path = decodeURIComponent(pathname);
  } catch {
    return undefined;
  }
  if (!path.startsWith("/") || /[\\\p{Cc}]|%[0-9a-f]{2}/iu.test(path)) return undefined;
  const segments = path.split("/").filter((segment) => segment !== "");
  if (segments.some((segment) => segment === "." || segment === "..")) return undefined;
  return `/${segments.join("/")}`.toLowerCase();
}

/** U+2215 looks like a slash but separates nothing. */
const SLASH_LIKE = "%E2%88%95";

/**
 * The normalised readings of a path. A path with an escaped slash has two: some routers split before they decode,
 * others after. A guard must accept both. Undefined as for {@link normalisePath}.
 */
export function pathReadings(pathname: string): readonly string[] | undefined {
  const path = normalisePath(pathname);
  if (path === undefined) return undefined;
  if (path === pathname || !/%2f/i.test(pathname)) return [path];
  const unsplit = normalisePath(pathname.replace(/%2f/gi, SLASH_LIKE));
  return unsplit === undefined ? undefined : [path, unsplit];
}

/** The path of a URL as written. A URL parser would resolve the dot segments that must be rejected. */
export function pathOf(url: string): string {
  const scheme = url.startsWith("/") ? -1 : url.indexOf("://");
  const authority = scheme === -1 ? 0 : scheme + 3;
  let end = url.indexOf("?", authority);
  if (end === -1) end = url.length;
  const hash = url.indexOf("#", authority);
  if (hash !== -1 && hash < end) end = hash;
  const start = scheme === -1 ? 0 : url.indexOf("/", authority);
  return start === -1 || start >= end ? "/" : url.slice(start, end);
}
