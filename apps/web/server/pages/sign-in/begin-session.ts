import {
  type Also,
  accountEvent,
  type FirstFactor,
  type Person,
  recipientOf,
  type SignInProof,
  UPSTREAM_ID_TOKEN,
} from "@gatehouse/accounts";
import {
  type NewSession,
  readCookie,
  type Session,
  type SessionUpstream,
  sessionCookie,
  sessionCookieName,
  sha256,
  startSession,
} from "@gatehouse/auth";
import type { Visit } from "../../routing/route.ts";
import { sourceOf } from "../account/frame.ts";
import { isKnownBrowser, rememberBrowser } from "../cookies/known-browser.ts";
import { waitingIdentity } from "../cookies/waiting-identity.ts";

/** A sign-in with everything that it needs. */
export type CompleteSignIn = {
  factor: FirstFactor;
  proof: SignInProof;
  keep: boolean;
  /** The browser can make a passkey, as the script of the sign-in page reported. WA-13. */
  canMakePasskey?: boolean;
};

/**
 * Starts a session, replaces the earlier one of the browser (SE-07), marks the browser as known to the account, and tells the owner about a
 * browser that was not (SN-04). The mail is in the transaction of the session, and so is the identity that waited for the sign-in (UP-08).
 * The only place that sets the session cookie of a sign-in.
 * `user` is as read when the gate decided: the session gets the epoch of that read, so it is dead if a reset raised the epoch before the
 * session was written. D6, §7.
 */
export async function beginSession(
  user: Person,
  { factor, proof, keep }: CompleteSignIn,
  visit: Visit,
): Promise<{ session: Session; cookies: string[] }> {
  const { deps } = visit.app;
  const header = visit.request.headers.get("cookie");
  const previous = readCookie(header, sessionCookieName(deps.config));
  const also = signInRecord(user, factor, visit);
  const waiting = await waitingIdentity(user, visit);
  const start = {
    save: (row: NewSession, previousId: string | undefined) => deps.people.saveSignIn(row, previousId, also, waiting.connection),
    ...{ user, proof, persistent: keep, upstream: upstreamOf(factor, deps), ...sourceOf(visit) },
    previousHash: previous === undefined ? undefined : sha256(previous),
  };
  const { session, secret } = await startSession(start, deps);
  return { session, cookies: [sessionCookie(secret, session, deps.config), ...rememberBrowser(user, header, deps), ...waiting.cookies] };
}

/** The line in the account's activity, and the mail about a new browser. */
function signInRecord(user: Person, { method }: FirstFactor, visit: Visit): Also {
  const { deps } = visit.app;
  const source = sourceOf(visit);
  const events = [accountEvent("signed_in", { userId: user.id, source, detail: { method } }, deps)];
  const isFirst = method === "sign_up" || method === "invitation";
  if (isFirst || !deps.mail.available || isKnownBrowser(user, visit.request.headers.get("cookie"), deps)) return { events };
  const data = { at: deps.now(), ...source };
  return {
    events,
    mails: [deps.mail.compose("new_sign_in", { ...recipientOf(user), userId: user.id, locale: user.locale ?? visit.locale, data })],
  };
}

/** What sign-out needs to know about the provider. UP-12. */
function upstreamOf(factor: FirstFactor, { seal }: Visit["app"]["deps"]): SessionUpstream | null {
  if (factor.method !== "upstream") return null;
  return { provider: factor.provider, idToken: factor.idToken === undefined ? null : seal.seal(UPSTREAM_ID_TOKEN, factor.idToken) };
}
