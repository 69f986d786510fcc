import {
  type Continuation,
  confirmSignUpCode,
  resendSignUpCode,
  sendVerification,
  sessionBinding,
  verifyWithCode,
} from "@gatehouse/accounts";
import { resumeAuthorization } from "@gatehouse/auth";
import type { Visit } from "../../routing/visit.ts";
import { accountRequest, brandedAccountRequest } from "../account/request.ts";
import { authorizationResponse } from "../authorization/respond.tsx";
import { mailedLinkSecret, takeMailedLink } from "../cookies/mailed-link.ts";
import { browserOf } from "../cookies/sign-in.ts";
import { outOfDate, tooManyAttempts } from "../responses/errors.tsx";
import { notSignedIn } from "../responses/not-signed-in.ts";
import { seeOther } from "../responses/respond.ts";
import { continuationOf } from "../sign-in/continuation.ts";
import { signInResponse } from "../sign-in/next-step.ts";
import { signUpClosedPage } from "../sign-up/sign-up.tsx";
import { actOnLink, showLink } from "./link.tsx";
import { codePage, deadLinkPage, mailOffPage, takenPage, verificationOffer } from "./verify-email.tsx";

/** The page of a mailed link, or the offer to mail a code. */
export async function showVerifyEmail(visit: Visit): Promise<Response> {
  const moved = takeMailedLink(visit);
  if (moved) return moved;
  const { session, url } = visit;
  const continuation = continuationOf(url.searchParams);
  // A pending request is at this page for the account of the session, whatever link was opened here before.
  if (mailedLinkSecret(visit) !== undefined && continuation.request === undefined) return showLink(visit);
  if (!session) return notSignedIn("signed_in", visit.request, visit.app.deps);
  if (session.user.emailVerifiedAt !== null) return goOn(continuation, visit);
  return visit.app.deps.mail.available
    ? verificationOffer(visit, session.user.email, continuation)
    : mailOffPage(visit);
}

/** Takes a form of the page: a link, a code, or the wish for another one. */
export function submitVerifyEmail(visit: Visit): Promise<Response> {
  const { form } = visit;
  const action = form.get("action");
  if (action === "link") return actOnLink(visit);
  if (form.get("of") === "verify") return action === "send" ? send(visit) : verify(visit);
  return action === "send" ? resend(visit) : confirm(visit);
}

/** The code of a sign-up. */
async function confirm(visit: Visit): Promise<Response> {
  const { form, app } = visit;
  const email = form.get("email") ?? "";
  const typed = { email, code: form.get("code") ?? "", browser: browserOf(visit) };
  const outcome = await confirmSignUpCode(typed, accountRequest(visit), app.deps);
  switch (outcome.kind) {
    case "confirmed":
      return signInResponse(outcome.account, outcome.factor, { continuation: outcome.continuation }, visit);
    case "wait":
      return tooManyAttempts(outcome.seconds, visit, "/verify-email");
    case "taken":
      return takenPage(visit);
    case "closed":
      return signUpClosedPage(visit);
    default:
      return wrongCode(visit, "sign_up", email);
  }
}

async function resend(visit: Visit): Promise<Response> {
  const { form, app } = visit;
  const email = form.get("email") ?? "";
  const continuation = continuationOf(form);
  const request = { ...(await brandedAccountRequest(visit, continuation.request)), browser: browserOf(visit) };
  const sent = await resendSignUpCode(email, request, app.deps);
  return sent ? codePage(visit, { of: "sign_up", email, continuation, resent: true }) : deadLinkPage(visit);
}

/** The code of an account that exists. */
async function verify(visit: Visit): Promise<Response> {
  const { form, app, session, request } = visit;
  if (!session) return notSignedIn("signed_in", request, app.deps);
  const account = await app.deps.people.findAccount(session.user.id);
  if (!account) return notSignedIn("signed_in", request, app.deps);
  if (form.get("email") !== account.email) return outOfDate(visit);
  const typed = { code: form.get("code") ?? "", browser: sessionBinding(session) };
  const outcome = await verifyWithCode(account, typed, accountRequest(visit), app.deps);
  if (outcome.kind === "wait") return tooManyAttempts(outcome.seconds, visit, "/verify-email");
  if (outcome.kind === "verified") return goOn(outcome.continuation, visit);
  return wrongCode(visit, "verify", account.email);
}

async function send(visit: Visit): Promise<Response> {
  const { form, app, session, request } = visit;
  if (!session) return notSignedIn("signed_in", request, app.deps);
  // The form names the account that it showed: another one may have signed in since, in another tab.
  if (form.get("email") !== session.user.email) return outOfDate(visit);
  const continuation = continuationOf(form);
  if (session.user.emailVerifiedAt !== null) return goOn(continuation, visit);
  if (!app.deps.mail.available) return mailOffPage(visit);
  const mailed = await brandedAccountRequest(visit, continuation.request);
  await sendVerification(session.user, { ...mailed, browser: sessionBinding(session), continuation }, app.deps);
  return codePage(visit, { of: "verify", email: session.user.email, continuation });
}

function wrongCode(visit: Visit, of: "sign_up" | "verify", email: string): Response {
  const problem = visit.texts.verifyEmail.wrong;
  return codePage(visit, { of, email, continuation: continuationOf(visit.form), problem }, 400);
}

/** The address is verified: back to the pending request, which reads the account again. */
async function goOn({ request, next }: Continuation, { session, app, caller, frame }: Visit): Promise<Response> {
  if (request === undefined || !session) return seeOther(next ?? "/account?notice=email_verified");
  const account = await app.deps.people.findAccount(session.user.id);
  const active = { ...session, user: { ...session.user, emailVerifiedAt: account?.emailVerifiedAt ?? null } };
  return authorizationResponse(await resumeAuthorization(request, active, app.deps, caller), frame);
}
