import {
  type BegunSession,
  CONFIRMED_BROWSER_SECONDS,
  clearPendingLink,
  KNOWN_BROWSER_SECONDS,
  PENDING_SIGN_IN_SECONDS,
  REMEMBERED_SECONDS,
  readPendingLink,
  type SignInBrowser,
} from "@gatehouse/accounts";
import {
  browserHash,
  type Config,
  cookie,
  cookieName,
  cookiesOf,
  type Hash,
  readCookie,
  sessionCookie,
  sessionCookieName,
  sha256,
} from "@gatehouse/auth";
import type { Visit } from "../../routing/visit.ts";

// The cookies of a sign-in. What their values mean is decided in packages/accounts/src/sign-in.

type Sent = Pick<Visit, "request" | "app">;

const PENDING_SIGN_IN = "ticket";
const KNOWN = "known_";
const CONFIRMED = "confirmed_browser";
const REMEMBERED = "remembered";
const PASSKEY_OFFER = "passkey_offer";
const PASSKEY_OFFER_SECONDS = 30 * 86_400;
/** The maximum number of accounts that a browser is known to, since request headers are limited in size. */
const MOST_KNOWN = 8;

/** What this browser brings to a sign-in. */
export function signInBrowser(visit: Sent): SignInBrowser {
  const { config } = visit.app.deps;
  const header = visit.request.headers.get("cookie");
  const read = (name: string) => readCookie(header, cookieName(name, config));
  return {
    hash: browserOf(visit),
    session: readCookie(header, sessionCookieName(config)),
    known: knownCookies(header, config).map(([, value]) => value),
    confirmed: read(CONFIRMED),
    remembered: read(REMEMBERED),
    pending: read(PENDING_SIGN_IN),
    offeredPasskey: read(PASSKEY_OFFER) !== undefined,
    waiting: readPendingLink(header, visit.app.deps),
  };
}

/**
 * The hash of the browser's own cookie: what mailed codes, challenges and tickets are bound to. Null without the
 * cookie.
 */
export function browserOf({ request, app }: Sent): Hash | null {
  return browserHash(request.headers.get("cookie"), app.deps);
}

/** `Set-Cookie` values for a session that just began. Any sign-in ends the wait of an identity. UP-08. */
export function sessionCookies({ active, secret, known, remembered }: BegunSession, visit: Sent): string[] {
  const { deps } = visit.app;
  const { config } = deps;
  const waiting = readPendingLink(visit.request.headers.get("cookie"), deps);
  return [
    sessionCookie(secret, active.session, config),
    ...knownBrowserCookies(active.user.id, known, visit),
    ...(waiting ? [clearPendingLink(deps)] : []),
    ...(remembered === undefined
      ? []
      : [cookie(cookieName(REMEMBERED, config), remembered, config, REMEMBERED_SECONDS)]),
  ];
}

/**
 * `Set-Cookie` values for a browser that is known to an account. Beyond eight accounts the oldest is dropped. AB-03.
 */
export function knownBrowserCookies(userId: string, known: string, { request, app: { deps } }: Sent): string[] {
  const { config } = deps;
  const own = `${cookieName(KNOWN, config)}${sha256(userId).slice(0, 12)}`;
  const others = knownCookies(request.headers.get("cookie"), config).filter(([name]) => name !== own);
  const dropped = others.slice(0, Math.max(0, others.length - MOST_KNOWN + 1));
  return [cookie(own, known, config, KNOWN_BROWSER_SECONDS), ...dropped.map(([name]) => cookie(name, "", config, 0))];
}

/** In the order sent, which is oldest first (RFC 6265 §5.4). */
function knownCookies(header: string | null, config: Config): [name: string, value: string][] {
  const prefix = cookieName(KNOWN, config);
  return cookiesOf(header)
    .filter(([name]) => name.startsWith(prefix))
    .slice(0, 2 * MOST_KNOWN);
}

/** `Set-Cookie` for a browser in which the code mailed to an address was entered. AB-03. */
export function confirmedBrowserCookie(sealed: string, { app }: Pick<Visit, "app">): string {
  const { config } = app.deps;
  return cookie(cookieName(CONFIRMED, config), sealed, config, CONFIRMED_BROWSER_SECONDS);
}

/** `Set-Cookie` for a sign-in that waits for its second step. MF-02. */
export function pendingSignInCookie(sealed: string, { app }: Pick<Visit, "app">): string {
  const { config } = app.deps;
  return cookie(cookieName(PENDING_SIGN_IN, config), sealed, config, PENDING_SIGN_IN_SECONDS);
}

/** `Set-Cookie` for when the pending sign-in is used up. */
export function noPendingSignInCookie({ app }: Pick<Visit, "app">): string {
  const { config } = app.deps;
  return cookie(cookieName(PENDING_SIGN_IN, config), "", config, 0);
}

/** `Set-Cookie` for a browser that is offered a passkey, at most once a month. WA-13. */
export function passkeyOfferCookie({ app }: Pick<Visit, "app">): string {
  const { config } = app.deps;
  return cookie(cookieName(PASSKEY_OFFER, config), "1", config, PASSKEY_OFFER_SECONDS);
}
