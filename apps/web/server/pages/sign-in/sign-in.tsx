/** @jsxImportSource preact */
import {
  beginPasskeySignIn,
  type FirstFactor,
  hasSameEpochs,
  isRemembered,
  type Person,
  passGate,
  routesByDomain,
} from "@gatehouse/accounts";
import {
  type ActiveSession,
  asksForProof,
  csrfToken,
  describePendingRequest,
  localPath,
  resumeAuthorization,
  type User,
} from "@gatehouse/auth";
import { type Continuation, continuationQuery, SignInPage, type SignInProps } from "../../../views/sign-in/sign-in.tsx";
import { SignUpPage, type SignUpProps } from "../../../views/sign-up.tsx";
import type { Visit } from "../../routing/route.ts";
import { proceed } from "../authorization/respond.tsx";
import { rememberedSecret } from "../cookies/remembered-browser.ts";
import { ticketCookie } from "../cookies/ticket.ts";
import { brandedFrame } from "../frame/frame.ts";
import { page, seeOther, withCookies } from "../responses/respond.tsx";
import { beginSession, type CompleteSignIn } from "./begin-session.ts";
import { countSignIn } from "./count-sign-in.ts";
import { mustReplacePassword, requiredChangeTicket, requiredPasswordPage } from "./new-password.ts";
import { passkeyOffer } from "./passkey-offer.tsx";
import { unknownPasskeySignals } from "./passkeys.ts";
import { toProviderInstead } from "./provider/domain.ts";
import { upstreamNoticeOf } from "./provider/notice.ts";
import { restoreOffer } from "./restore.tsx";

export { browserOf } from "../cookies/browser.ts";

/** Reads where a sign-in continues from a query or a form. A `next` on another origin is dropped (SE-12). */
export function continuationOf(fields: URLSearchParams): Continuation {
  return { request: fields.get("request") || undefined, next: localPath(fields.get("next")) };
}

type Added = "frame" | "csrf" | "app" | "signedInAs" | "providers" | "emailFirst" | "emailCode" | "signUp" | "passkey" | "signals";
type SignInFacts = Omit<SignInProps, Added> & {
  /** A passkey that was used and that no account has. */
  unknownCredentialId?: string | undefined;
};
/** Reads "Keep me signed in" from a form: ticked unless the form has the box and it was not ticked. SN-02. */
export function keepsSignedIn(form: URLSearchParams): boolean {
  const sent = form.getAll("keep");
  return sent.length === 0 || sent.includes("on");
}

/** The sign-in page, with a CSRF token that is bound to the browser. */
export async function signInPage(visit: Visit, { unknownCredentialId, ...props }: SignInFacts, status = 200): Promise<Response> {
  const { deps } = visit.app;
  const providers = (await deps.people.listSignInProviders()).filter(({ enabled }) => enabled);
  const { token, setCookie, browser } = csrfToken(visit.request.headers.get("cookie"), undefined, deps);
  const passkey = beginPasskeySignIn(browser ?? "", deps);
  return page(
    <SignInPage
      {...props}
      {...(visit.request.method === "GET" && upstreamNoticeOf(visit, providers))}
      providers={providers}
      emailFirst={routesByDomain(providers) && !props.email}
      emailCode={deps.accounts.emailSignIn}
      signUp={deps.accounts.signUp === "open"}
      frame={await brandedFrame(visit, props.continuation.request)}
      passkey={passkey}
      signals={unknownPasskeySignals(unknownCredentialId, deps)}
      csrf={token}
      app={await appNameOf(props.continuation, visit)}
      signedInAs={visit.session?.user.email}
    />,
    { status, cookies: [setCookie], ceremony: passkey !== undefined },
  );
}

/** The sign-up page, with a CSRF token that is bound to the browser. */
export async function signUpPage(visit: Visit, props: Omit<SignUpProps, "frame" | "csrf" | "app">, status = 200): Promise<Response> {
  const { token, setCookie } = csrfToken(visit.request.headers.get("cookie"), undefined, visit.app.deps);
  return page(
    <SignUpPage
      {...props}
      frame={await brandedFrame(visit, props.continuation.request)}
      csrf={token}
      app={await appNameOf(props.continuation, visit)}
    />,
    { status, cookies: [setCookie] },
  );
}

/** The name of the app that the user signs in to; undefined when there is none. */
async function appNameOf({ request }: Continuation, { app }: Visit): Promise<string | undefined> {
  return request === undefined ? undefined : (await describePendingRequest(request, app.deps))?.applicationName;
}

export type SignedInOptions = {
  /** Where the sign-in continues. */
  continuation: Continuation;
  /** "Keep me signed in". Default true. SN-02. */
  keep?: boolean;
};

/**
 * Signs `user` in after a first factor, if that is enough: starts a session and continues with the pending authorization request, the local
 * path, or the account page. Otherwise leads to the provider of the account's domain, the second step, a required change of the password, or
 * the offer to restore the account. Every way to sign in ends here. MF-01. `proved` is the account as it was read to prove the factor: if its
 * password was reset since then, the factor proves nothing any more. §7.
 */
export async function signedIn(
  proved: Pick<User, "id" | "accessEpoch" | "signInEpoch">,
  factor: FirstFactor,
  { continuation, keep = true }: SignedInOptions,
  visit: Visit,
): Promise<Response> {
  const { deps } = visit.app;
  const { id } = proved;
  const person = await deps.people.findPerson(id);
  if (!person || !hasSameEpochs(proved, person)) return refuse(continuation, visit);
  const elsewhere = await toProviderInstead(person, factor, { continuation, keep }, visit);
  if (elsewhere) return elsewhere;
  const { request } = continuation;
  const insists = request !== undefined && (await asksForProof(request, deps));
  const remembered = () => isRemembered(id, rememberedSecret(visit), deps);
  const { passage, proof } = await passGate(person, factor, { insists, remembered }, deps);
  if (passage === "refused") return refuse(continuation, visit);
  const canMakePasskey = visit.form.get("passkeys") === "available";
  const signIn = { factor, proof, keep, canMakePasskey };
  if (passage === "restore") return restoreOffer(person, signIn, continuation, visit);
  if (passage === "session") return enterOrReplacePassword(person, signIn, continuation, visit);

  const ticket = ticketCookie(person, { factor, step: passage, keep, canMakePasskey }, visit);
  if (ticket === undefined) return seeOther(`/sign-in${continuationQuery(continuation)}`);
  return seeOther(`/sign-in/second-step${continuationQuery(continuation)}`, { cookies: [ticket] });
}

/** The account was disabled or deleted, or its sign-ins were ended, meanwhile. The first factors refuse with the same words. */
function refuse(continuation: Continuation, visit: Visit): Promise<Response> {
  return signInPage(visit, { continuation, problem: visit.texts.signIn.incorrect }, 400);
}

/** Ends a sign-in that passed the gate: with its session, or with the page for a required new password. PW-04, UM-03. */
export async function enterOrReplacePassword(
  person: Person,
  signIn: CompleteSignIn,
  continuation: Continuation,
  visit: Visit,
): Promise<Response> {
  if (!mustReplacePassword(person, signIn.factor)) return enter(person, signIn, continuation, visit);
  return requiredPasswordPage(person, { ticket: requiredChangeTicket(person, signIn, continuation, visit), continuation }, visit);
}

/** Starts the session of a sign-in that is complete, and continues. */
export async function enter(user: Person, signIn: CompleteSignIn, continuation: Continuation, visit: Visit): Promise<Response> {
  const { session, cookies } = await beginSession(user, signIn, visit);
  countSignIn("succeeded", signIn.factor.method, continuation, visit);
  const offer = await passkeyOffer(user.id, signIn, continuation, visit);
  if (offer) return seeOther(offer.path, { cookies: [...cookies, offer.cookie] });
  return continueTo(continuation, { session, user }, cookies, visit);
}

/** Goes on after a sign-in: with the pending authorization request, the local path, or the account page. */
export async function continueTo(
  { request, next }: Continuation,
  session: ActiveSession,
  cookies: readonly string[],
  { app, caller, frame }: Visit,
): Promise<Response> {
  if (request === undefined) return seeOther(next ?? "/account", { cookies });
  return withCookies(proceed(await resumeAuthorization(request, session, app.deps, caller), frame), cookies);
}
