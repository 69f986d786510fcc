/** A request path that cannot be read in one way only. Answered with 400 before anything matches it. */
export class MalformedPathError extends Error {
  override readonly name = "MalformedPathError";
}

/** Lower case, nothing to decode, no dot segment, no empty one: almost every path there is, and its own normal form. */
const NORMAL = /^(?:\/(?!\.{1,2}(?:\/|$))[a-z0-9._~-]+)+$/;

/**
 * The path that rules are matched against: decoded once, `//` collapsed, lower case, no trailing slash.
 * Returns undefined for what two readers could read differently: malformed or doubled escapes, control characters
 * (newlines, NUL), backslashes, dot segments. Answer those with 400. SD-02, N39.
 */
export function normalisePath(pathname: string): string | undefined {
  if (NORMAL.test(pathname)) return pathname;
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

/**
 * Every way in which a path may be understood, in normal form: a router that splits at slashes first takes an escaped one for
 * part of a segment, one that decodes first does not. A guard has to be content with each. Undefined as {@link normalisePath}.
 */
function readingsOf(pathname: string): readonly string[] | undefined {
  const path = normalisePath(pathname);
  if (path === undefined) return undefined;
  if (path === pathname || !/%2f/i.test(pathname)) return [path];
  const inSegment = normalisePath(pathname.replace(/%2f/gi, SLASH_LIKE));
  return inSegment === undefined ? undefined : [path, inSegment];
}

/** U+2215, which looks like a slash and separates nothing. */
const SLASH_LIKE = "%E2%88%95";

/** Tells whether a request's path (or a path) matches. Throws {@link MalformedPathError} on a path that cannot be normalised. */
export type RouteMatcher = (target: string | Pick<Request, "url">) => boolean;

/**
 * Builds a matcher from patterns, whole segments at a time and blind to case: `/a/b` is that path ·
 * `:name` is one segment · `:name+` one or more · `:name*` none or more, last only · `(.*)` at the end is the path before it and
 * everything below. Unlike in other libraries `/api/protected(.*)` does not reach `/api/protectedX`, which is another route;
 * to cover both, name both. Throws on any other syntax.
 */
export function createRouteMatcher(patterns: readonly string[]): RouteMatcher {
  const rules = patterns.map(parsePattern);
  return (target) => {
    const path = normalisePath(typeof target === "string" ? target : pathOf(target.url));
    if (path === undefined) throw new MalformedPathError("path cannot be read in one way only");
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
  if (!pattern.startsWith("/") && pattern !== "(.*)") throw new Error(`a route pattern starts with a slash: ${pattern}`);
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

const ENDS_AUTHORITY: ReadonlySet<string> = new Set(["/", "?", "#"]);

/** The path of a URL as it stands, without a parser that would resolve what has to be refused. */
export function pathOf(url: string): string {
  const scheme = url.startsWith("/") ? -1 : url.indexOf("://");
  let start = scheme === -1 ? 0 : scheme + 3;
  if (scheme !== -1) while (start < url.length && !ENDS_AUTHORITY.has(url.charAt(start))) start += 1;
  let end = url.indexOf("?", start);
  if (end === -1) end = url.length;
  const hash = url.indexOf("#", start);
  if (hash !== -1 && hash < end) end = hash;
  return end === start ? "/" : url.slice(start, end);
}

/** What a guard's callback may ask about the caller. The session is read at most once, and only when asked for. */
export type Auth<S> = {
  session(): Promise<S | undefined>;
  /**
   * Returns the session. Without one the callback ends here, and the caller gets `refusal`: by default the 401 as JSON;
   * pages pass their redirect to the sign-in page.
   */
  protect(refusal?: () => Response): Promise<S>;
};

/**
 * Decides about one request: a Response ends it, nothing lets it through. `path` is normalised; for a path with an escaped
 * slash the callback is asked about both readings, and either may end the request.
 */
export type AuthCallback<S> = (auth: Auth<S>, request: Request, path: string) => Promise<Response | undefined> | Response | undefined;

export type AuthMiddlewareOptions<S> = {
  readSession: (request: Request) => Promise<S | undefined>;
  /** Patterns of paths that are none of the guard's business: neither callback nor session is consulted. */
  skip?: readonly string[];
};

/** Ends the callback from inside {@link Auth.protect}; never leaves this file. */
class Refused {
  readonly response: Response;
  constructor(response: Response) {
    this.response = response;
  }
}

/**
 * The guard in front of the handlers. Returns a Response that ends the request (400 for a malformed path, 401, or the
 * callback's own), or undefined to let it through. No header switches it off. Handlers check again: a guard in front is
 * a convenience, not the boundary (SD-03).
 */
export function createAuthMiddleware<S>(callback: AuthCallback<S>, { readSession, skip = [] }: AuthMiddlewareOptions<S>) {
  const skips = createRouteMatcher(skip);

  return async (request: Request): Promise<Response | undefined> => {
    const readings = readingsOf(pathOf(request.url));
    if (readings === undefined) return malformedPath();

    let reading: Promise<S | undefined> | undefined;
    const session = () => (reading ??= readSession(request));
    const protect = async (refusal = unauthenticated) => {
      const active = await session();
      if (active === undefined) throw new Refused(refusal());
      return active;
    };
    try {
      for (const path of readings) {
        const refusal = skips(path) ? undefined : await callback({ session, protect }, request, path);
        if (refusal) return refusal;
      }
      return undefined;
    } catch (thrown) {
      if (thrown instanceof Refused) return thrown.response;
      throw thrown;
    }
  };
}

/** 401 as JSON: there is no session. RFC 9110 §15.5.2 wants a challenge; ours is the sign-in page's cookie. */
export function unauthenticated(): Response {
  return json(
    401,
    { error: "unauthenticated", error_description: "This needs a signed-in session." },
    { "WWW-Authenticate": 'Cookie realm="gatehouse"' },
  );
}

/** 400 as JSON: the path has more than one reading. */
export function malformedPath(): Response {
  return json(400, { error: "invalid_request", error_description: "The path is malformed." });
}

function json(status: number, body: Record<string, string>, headers: Record<string, string> = {}): Response {
  return new Response(JSON.stringify(body), {
    status,
    headers: { "Content-Type": "application/json", "Cache-Control": "no-store", ...headers },
  });
}
