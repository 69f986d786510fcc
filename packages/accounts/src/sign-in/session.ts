import { type NewSession, type SessionUpstream, sha256, startSession } from "@gatehouse/auth";
import { type AccountEventDetail, accountEvent } from "../events/account-event.ts";
import type { FirstFactor } from "../gate/first-factor.ts";
import { rememberBrowser } from "../gate/remembered-browser.ts";
import { recipientOf } from "../mails/composer.ts";
import { noticeOf, sourceOf } from "../registration/account-request.ts";
import { recordSignIn } from "../sign-in-log/record.ts";
import type { AccountRecord } from "../store/account-record.ts";
import type { Account } from "../store/accounts.ts";
import type { IdentityConnection } from "../store/identities.ts";
import { connectionOf } from "../upstream/identities.ts";
import { UPSTREAM_ID_TOKEN } from "../upstream/sign-out.ts";
import type { Continuation } from "./continuation.ts";
import { isKnownBrowser, sealKnownBrowser } from "./known-browser.ts";
import type { BegunSession, CompleteSignIn, SignInDeps, SignInRequest } from "./sign-in.ts";

/**
 * Starts a session, replaces the earlier one of the browser (SE-07), and tells the owner about a browser that the
 * account does not know (SN-04). The mail is in the transaction of the session, and so is the identity that waited for
 * the sign-in (UP-08). `user` is as read when the gate decided: the session gets the epoch of that read, so it is dead
 * if a reset raised the epoch before the session was written. D6, WE-03.
 */
export async function beginSession(
  user: Account,
  signIn: CompleteSignIn,
  continuation: Continuation,
  request: SignInRequest,
  deps: SignInDeps,
): Promise<BegunSession> {
  const { id, factor, proof, keep, remember } = signIn;
  const { browser } = request;
  const also = signInRecord(user, factor, request, deps);
  const connection = await connectionOfWaiting(user, request, deps);
  const start = {
    save: (row: NewSession, previousId: string | undefined) =>
      deps.people.saveSignIn(row, previousId, also, connection),
    user,
    proof,
    persistent: keep,
    upstream: upstreamOf(factor, deps),
    ...sourceOf(request),
    previousHash: browser.session === undefined ? undefined : sha256(browser.session),
  };
  const { session, secret } = await startSession(start, deps);
  const facts = { id, factor: factor.method, who: { userId: user.id }, cause: null, level: proof.acr };
  await recordSignIn({ ...facts, detail: detailOf(signIn) }, continuation, request, deps);
  return {
    active: { session, user },
    secret,
    known: sealKnownBrowser(user, browser, deps),
    remembered: remember ? await rememberBrowser(user, browser.remembered, sourceOf(request), deps) : undefined,
    offersPasskey: await offersPasskey(user.id, signIn, request, deps),
  };
}

/** What the log says about the way in: the provider, and what was proved. RFC 8176. */
function detailOf({ factor, proof }: CompleteSignIn): AccountEventDetail {
  return { ...(factor.method === "upstream" && { provider: factor.provider }), amr: proof.amr.join(" ") };
}

/** The line in the account's activity, and the mail about a new browser. */
function signInRecord(user: Account, { method }: FirstFactor, request: SignInRequest, deps: SignInDeps): AccountRecord {
  const events = [accountEvent("signed_in", { userId: user.id, source: sourceOf(request), detail: { method } }, deps)];
  const isFirst = method === "sign_up" || method === "invitation";
  if (isFirst || !deps.mail.available || isKnownBrowser(user, request.browser, deps)) return { events };
  const data = noticeOf(request, deps.now());
  const mail = { ...recipientOf(user), userId: user.id, locale: user.locale ?? request.locale, data };
  return { events, mails: [deps.mail.compose("new_sign_in", mail)] };
}

/** What connects the identity that waited in this browser for a sign-in to its account. UP-08. */
async function connectionOfWaiting(
  user: Account,
  request: SignInRequest,
  deps: SignInDeps,
): Promise<IdentityConnection | undefined> {
  const { waiting } = request.browser;
  if (waiting?.userId !== user.id) return undefined;
  const providers = await deps.people.listSignInProviders();
  const provider = providers.find(({ id, enabled }) => id === waiting.identity.provider && enabled);
  return provider && connectionOf(waiting.identity, user, provider.name, request, deps);
}

/** What sign-out needs to know about the provider. UP-12. */
function upstreamOf(factor: FirstFactor, { seal }: Pick<SignInDeps, "seal">): SessionUpstream | null {
  if (factor.method !== "upstream") return null;
  const { provider, idToken } = factor;
  return { provider, idToken: idToken === undefined ? null : seal.seal(UPSTREAM_ID_TOKEN, idToken) };
}

/**
 * Is this browser offered a passkey after a password sign-in, at most once a month? Only if its device can make one, as
 * the script of the sign-in page reported, and the account has none. WA-13.
 */
async function offersPasskey(
  userId: string,
  { factor, canMakePasskey = false }: CompleteSignIn,
  { browser }: SignInRequest,
  { accounts, people }: SignInDeps,
): Promise<boolean> {
  if (factor.method !== "password" || !canMakePasskey || !accounts.passkeys || browser.offeredPasskey) return false;
  return (await people.listPasskeys(userId)).length === 0;
}
