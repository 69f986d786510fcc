import { cookieName } from "@gatehouse/runtime";
import { type Hash, sha256 } from "../crypto/secret.ts";
import type { Deps } from "../deps.ts";
import { OAuthError } from "../errors/error.ts";
import { type ActiveSession, cookie, readCookie } from "./session.ts";

/** The hidden field of every form. */
const CSRF_FIELD = "csrf";

const PURPOSE = "csrf token";
const COOKIE = "csrf";

type CsrfDeps = Pick<Deps, "config" | "seal">;

/**
 * A CSRF token for the forms of a page, bound to the session or, without one, to a cookie; send `setCookie` when it is
 * defined. `browser` is what {@link browserHash} returns for the form's POST. Sign-in and sign-up pages pass
 * `undefined` as the session, here and in {@link verifyCsrf}, so that a sign-in in another tab does not invalidate
 * them. SE-09.
 */
export function csrfToken(
  cookieHeader: string | null,
  active: ActiveSession | undefined,
  deps: CsrfDeps & Pick<Deps, "random">,
): { token: string; setCookie: string | undefined; browser: Hash | null } {
  if (active)
    return {
      token: deps.seal.seal(PURPOSE, ofSession(active)),
      setCookie: undefined,
      browser: browserHash(cookieHeader, deps),
    };
  const name = cookieName(COOKIE, deps.config);
  const known = readVisitor(cookieHeader, deps);
  const visitor = known ?? Buffer.from(deps.random(32)).toString("base64url");
  return {
    token: deps.seal.seal(PURPOSE, ofVisitor(visitor)),
    setCookie: known === undefined ? cookie(name, visitor, deps.config) : undefined,
    browser: sha256(ofVisitor(visitor)),
  };
}

/**
 * Verifies the origin and the CSRF token of a form post. Returns the error (403) to answer with, or undefined. Call it
 * before anything else. Its cause is `form_cookies_lost` for a form of our own page whose cookie or session is gone or
 * was replaced: that page can be shown again, and nothing else may be done. SE-09, N16.
 */
export function verifyCsrf(
  request: Pick<Request, "headers">,
  form: URLSearchParams,
  active: ActiveSession | undefined,
  deps: CsrfDeps,
): OAuthError | undefined {
  if (!isOwnOrigin(request.headers, deps.config.issuer)) return csrfError("posted from another site");
  const tokens = form.getAll(CSRF_FIELD);
  if (tokens.length !== 1) return csrfError(tokens.length === 0 ? "no csrf token" : "csrf token repeated");

  const visitor = readVisitor(request.headers.get("cookie"), deps);
  const expected = active ? ofSession(active) : visitor && ofVisitor(visitor);
  const bound = deps.seal.open(PURPOSE, tokens[0] ?? "");
  if (bound === undefined) return csrfError("csrf token altered");
  return expected !== undefined && bound === expected
    ? undefined
    : cookiesLost(active !== undefined || visitor !== undefined);
}

/**
 * The hash of the browser's cookie, for values that count in this browser only. Null without the cookie, which every
 * page with a form for signed-out users sets.
 */
export function browserHash(cookieHeader: string | null, deps: Pick<Deps, "config">): Hash | null {
  const visitor = readVisitor(cookieHeader, deps);
  return visitor === undefined ? null : sha256(ofVisitor(visitor));
}

/** `Sec-Fetch-Site` takes precedence: with `no-referrer`, `Origin` is null even for our own forms. */
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

function csrfError(message: string): OAuthError {
  return new OAuthError("invalid_request", "csrf_failed", message, {
    status: 403,
    description: "This form expired or was sent from another site. Reload the page and try again.",
  });
}

function cookiesLost(isOther: boolean): OAuthError {
  const message = isOther
    ? "the form is of another session, or of other cookies"
    : "the browser sent no cookie with the form";
  return new OAuthError("invalid_request", "form_cookies_lost", message, {
    status: 403,
    description: "The browser no longer has the cookies of this form. Open the page again.",
  });
}
