import {
  type Continuation,
  enrolInSignIn,
  findStepOfSession,
  findStepOfTicket,
  mayDecline,
  mustEnrol,
  type NextStep,
  openRequiredChange,
  type StepSubject,
  stepId,
  takeSecondStep,
} from "@gatehouse/accounts";
import { type ActiveSession, resumeAuthorization } from "@gatehouse/auth";
import { continuationQuery } from "../../../views/continuation.ts";
import type { Visit } from "../../routing/visit.ts";
import { signInRequest } from "../account/request.ts";
import { authorizationResponse } from "../authorization/respond.tsx";
import { browserOf, noTicketCookie, signInBrowser } from "../cookies/sign-in.ts";
import { postedPasskey } from "../passkeys/ceremonies.ts";
import { outOfDate } from "../responses/out-of-date.tsx";
import { seeOther, withCookies } from "../responses/respond.ts";
import { tooManyAttempts } from "../responses/too-many-attempts.tsx";
import { continuationOf, continueTo } from "./continuation.ts";
import { newPasswordPage } from "./new-password.ts";
import { nextStepResponse } from "./next-step.ts";
import { confirmationPath, newCodesPage, secondStepPage } from "./second-step-page.tsx";
import { signInPage } from "./sign-in.tsx";

/** With nothing to ask, a session that meets the request goes on, and anybody else signs in. */
export async function showSecondStep(visit: Visit): Promise<Response> {
  const { searchParams } = visit.url;
  const continuation = continuationOf(searchParams);
  const subject = await findStep(searchParams, continuation, visit);
  if (subject) return secondStepPage(subject, continuation, { recovery: searchParams.get("recovery") === "1" }, visit);
  if (searchParams.get("raise") === "1" && visit.session) return continueTo(continuation, visit.session, [], visit);
  return seeOther(`/sign-in${continuationQuery(continuation)}`);
}

/** Takes a form of the page: the step, its setup, or what follows it. MF-02. */
export async function submitSecondStep(visit: Visit): Promise<Response> {
  const { form, session } = visit;
  const continuation = continuationOf(form);
  if (form.get("action") === "continue") {
    const change = form.get("ticket");
    if (change !== null) return replacePassword(change, continuation, visit);
    if (session) return continueTo(continuation, session, [], visit);
  }
  const subject = await findStep(form, continuation, visit);
  if (!subject) return expired(continuation, visit);
  if (form.get("subject") !== stepId(subject)) return outOfDate(visit);
  if (form.get("action") === "not_now" && mayDecline(subject) && session) return decline(continuation, session, visit);
  return mustEnrol(subject) ? enrol(subject, continuation, visit) : prove(subject, continuation, visit);
}

/** After recovery codes were shown: the required change of the password. PW-04, UM-03. */
async function replacePassword(ticket: string, continuation: Continuation, visit: Visit): Promise<Response> {
  const open = await openRequiredChange({ ticket, browser: browserOf(visit) }, visit.app.deps);
  return open ? newPasswordPage(open.person, { ticket, continuation }, visit) : expired(continuation, visit);
}

async function decline({ request = "" }: Continuation, session: ActiveSession, { app, caller, frame }: Visit): Promise<Response> {
  return authorizationResponse(await resumeAuthorization(request, session, app.deps, caller, { declined: true }), frame);
}

/** Who takes the step, and what for; undefined when there is nothing to do, or no longer. `fields`: of the query or the form. */
function findStep(fields: URLSearchParams, continuation: Continuation, visit: Visit): Promise<StepSubject | undefined> {
  const { deps } = visit.app;
  if (fields.get("raise") === "1") return findStepOfSession(visit.session, continuation, deps);
  return findStepOfTicket(signInBrowser(visit), deps);
}

/** Back to the start, with the request. */
async function expired(continuation: Continuation, visit: Visit): Promise<Response> {
  const response = await signInPage(visit, { continuation, problem: visit.texts.secondStep.expired }, 400);
  return withCookies(response, [noTicketCookie(visit)]);
}

/** Takes the code or the passkey of the form. MF-02. */
async function prove(subject: StepSubject, continuation: Continuation, visit: Visit): Promise<Response> {
  const { form, texts, app } = visit;
  const passkey = postedPasskey(form);
  const typed = { code: form.get("code") ?? "", passkey, remember: form.get("remember") === "1" };
  const outcome = await takeSecondStep(subject, typed, continuation, signInRequest(visit), app.deps);
  switch (outcome.kind) {
    case "expired":
      return expired(continuation, visit);
    case "wait":
      return tooManyAttempts(outcome.seconds, visit, "/sign-in/second-step");
    case "wrong": {
      const problem = passkey ? texts.secondStep.keyFailed : texts.secondStep.incorrect;
      return secondStepPage(subject, continuation, { problem, recovery: form.get("recovery") === "1" }, visit);
    }
    case "next":
      return passed(subject, outcome.next, visit);
  }
}

/** Takes the first code of an authenticator app under setup. MF-09, AL-02. */
async function enrol(subject: StepSubject, continuation: Continuation, visit: Visit): Promise<Response> {
  const { form, texts, app } = visit;
  const setup = form.get("setup") ?? "";
  const typed = { setup, code: form.get("code") ?? "", remember: form.get("remember") === "1" };
  const outcome = await enrolInSignIn(subject, typed, continuation, signInRequest(visit), app.deps);
  switch (outcome.kind) {
    case "expired":
      return expired(continuation, visit);
    case "confirm":
      return seeOther(confirmationPath(continuation));
    case "wrong_code":
      return secondStepPage(subject, continuation, { problem: texts.secondStep.setUpIncorrect, setup }, visit);
    case "setup_expired":
      return secondStepPage(subject, continuation, { problem: texts.secondStep.setUpExpired }, visit);
    case "next":
      return outcome.codes
        ? newCodesPage(outcome.codes, outcome.next, visit, noTicket(subject, visit))
        : passed(subject, outcome.next, visit);
  }
}

const noTicket = ({ kind }: StepSubject, visit: Visit) => (kind === "ticket" ? [noTicketCookie(visit)] : []);

async function passed(subject: StepSubject, next: NextStep, visit: Visit): Promise<Response> {
  return withCookies(await nextStepResponse(next, visit), noTicket(subject, visit));
}
