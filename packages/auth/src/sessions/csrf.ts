import type { Deps } from "../deps.ts";
import { OAuthError } from "../errors/error.ts";
import { type ActiveSession, cookie, cookieName, readCookie } from "./session.ts";

/** The hidden field that every form of ours carries. */
export const CSRF_FIELD = "csrf";

const PURPOSE = "csrf token";
const COOKIE = "gatehouse_csrf";

type CsrfDeps = Pick<Deps, "config" | "seal">;

/**
 * A token for the forms of one page, bound to the session or, before there is one, to a cookie of its own; `setCookie`
 * is to be sent along when that cookie is new. Pages where one signs in or up pass `undefined` as the session, here and
 * in {@link verifyCsrf}, so that a sign-in in another tab does not spoil them. SE-09.
 */
export function csrfToken(
  cookieHeader: string | null,
  active: ActiveSession | undefined,
  deps: CsrfDeps & Pick<Deps, "random">,
): { token: string; setCookie: string | undefined } {
  if (active) return { token: deps.seal.seal(PURPOSE, ofSession(active)), setCookie: undefined };
  const name = cookieName(COOKIE, deps.config);
  const known = readVisitor(cookieHeader, deps);
  const visitor = known ?? Buffer.from(deps.random(32)).toString("base64url");
  return {
    token: deps.seal.seal(PURPOSE, ofVisitor(visitor)),
    setCookie: known === undefined ? cookie(name, visitor, deps.config) : undefined,
  };
}

/**
 * May this form post act? Judges where it came from, then its token. Returns undefined when it may, otherwise the
 * error (403) to answer with; nothing may have been done before. SE-09, N16.
 */
export function verifyCsrf(
  request: Pick<Request, "headers">,
  form: URLSearchParams,
  active: ActiveSession | undefined,
  deps: CsrfDeps,
): OAuthError | undefined {
  if (!isOwnOrigin(request.headers, deps.config.issuer)) return refusal("posted from another site");
  const tokens = form.getAll(CSRF_FIELD);
  if (tokens.length !== 1) return refusal(tokens.length === 0 ? "no csrf token" : "csrf token repeated");

  const visitor = readVisitor(request.headers.get("cookie"), deps);
  const expected = active ? ofSession(active) : visitor && ofVisitor(visitor);
  const bound = deps.seal.open(PURPOSE, tokens[0] ?? "");
  return expected !== undefined && bound === expected ? undefined : refusal("csrf token of another session, or altered");
}

/** Browsers that say so are believed first: under `no-referrer` their `Origin` is null even on our own forms. */
function isOwnOrigin(headers: Headers, issuer: string): boolean {
  const site = headers.get("sec-fetch-site");
  const origin = headers.get("origin");
  if (site !== null && site !== "same-origin" && site !== "none") return false;
  if (origin === "null") return site !== null;
  return origin === null || origin === new URL(issuer).origin;
}

const ofSession = ({ session }: ActiveSession) => `session ${session.hash}`;
const ofVisitor = (visitor: string) => `visitor ${visitor}`;

function readVisitor(cookieHeader: string | null, deps: Pick<Deps, "config">): string | undefined {
  const value = readCookie(cookieHeader, cookieName(COOKIE, deps.config));
  return value !== undefined && /^[\w-]{43}$/.test(value) ? value : undefined;
}

function refusal(message: string): OAuthError {
  return new OAuthError("invalid_request", "csrf_failed", message, {
    status: 403,
    description: "This form was not sent from our own page, or the page was open too long. Reload it and try again.",
  });
}
