import {
  type Continuation,
  findPendingStep,
  findStepOfSession,
  openRequiredChange,
  type SecondStepForm,
  type SecondStepOutcome,
} from "@gatehouse/accounts";
import { resumeAuthorization } from "@gatehouse/auth";
import { continuationQuery } from "../../../views/continuation.ts";
import type { Visit } from "../../routing/visit.ts";
import { authorizationResponse } from "../authorization/respond.tsx";
import { browserOf, noPendingSignInCookie, signInBrowser } from "../cookies/sign-in.ts";
import { postedPasskey } from "../passkeys/ceremonies.ts";
import { outOfDate, tooManyAttempts } from "../responses/errors.tsx";
import { seeOther, withCookies } from "../responses/respond.ts";
import { continuationOf, continueTo } from "./continuation.ts";
import { newPasswordPage } from "./new-password.ts";
import { confirmationPath, secondStepPage } from "./second-step-page.tsx";
import { signInPage } from "./sign-in.tsx";

/**
 * The page of the second step. If there is nothing to ask, a session continues with its request, and everybody else
 * goes to the sign-in page. MF-02.
 */
export async function showSecondStep(visit: Visit): Promise<Response> {
  const { url, session, app } = visit;
  const { searchParams } = url;
  const continuation = continuationOf(searchParams);
  const raise = searchParams.get("raise") === "1";
  const subject = raise
    ? await findStepOfSession(session, continuation, app.deps)
    : await findPendingStep(signInBrowser(visit), app.deps);
  if (subject) return secondStepPage(subject, continuation, { recovery: searchParams.get("recovery") === "1" }, visit);
  if (raise && session) return continueTo(continuation, session, [], visit);
  return seeOther(`/sign-in${continuationQuery(continuation)}`);
}

/** Reads the form of the page. */
export function stepFormOf(form: URLSearchParams): SecondStepForm {
  return {
    raise: form.get("raise") === "1",
    subject: form.get("subject"),
    declines: form.get("action") === "not_now",
    code: form.get("code") ?? "",
    passkey: postedPasskey(form),
    setup: form.get("setup") ?? "",
    remember: form.get("remember") === "1",
  };
}

/**
 * After recovery codes were shown: the required change of the password, or the end of the sign-in; undefined for any
 * other form.
 */
export async function continueAfterCodes(continuation: Continuation, visit: Visit): Promise<Response | undefined> {
  const { form, session, app } = visit;
  if (form.get("action") !== "continue") return undefined;
  const ticket = form.get("ticket");
  if (ticket === null) return session && continueTo(continuation, session, [], visit);
  const open = await openRequiredChange({ ticket, browser: browserOf(visit) }, app.deps);
  return open ? newPasswordPage(open.account, { ticket, continuation }, visit) : expired(continuation, visit);
}

/** The response to a form that did not take the step. */
export async function secondStepAgain(
  outcome: Exclude<SecondStepOutcome, { kind: "next" }>,
  continuation: Continuation,
  visit: Visit,
): Promise<Response> {
  const { form, app, caller, frame } = visit;
  const { secondStep } = frame.texts;
  switch (outcome.kind) {
    case "expired":
      return expired(continuation, visit);
    case "out_of_date":
      return outOfDate(visit);
    case "declined": {
      const { request = "" } = continuation;
      return authorizationResponse(
        await resumeAuthorization(request, outcome.active, app.deps, caller, { declined: true }),
        frame,
      );
    }
    case "wait":
      return tooManyAttempts(outcome.seconds, visit, "/sign-in/second-step");
    case "confirm":
      return seeOther(confirmationPath(continuation));
    case "wrong": {
      const problem = form.has("credential") ? secondStep.keyFailed : secondStep.incorrect;
      return secondStepPage(outcome.subject, continuation, { problem, recovery: form.get("recovery") === "1" }, visit);
    }
    case "wrong_setup_code": {
      const again = { problem: secondStep.setUpIncorrect, setup: form.get("setup") ?? "" };
      return secondStepPage(outcome.subject, continuation, again, visit);
    }
    case "setup_expired":
      return secondStepPage(outcome.subject, continuation, { problem: secondStep.setUpExpired }, visit);
  }
}

/** Back to the start, with the request. */
async function expired(continuation: Continuation, visit: Visit): Promise<Response> {
  const response = await signInPage(visit, { continuation, problem: visit.texts.secondStep.expired }, 400);
  return withCookies(response, [noPendingSignInCookie(visit)]);
}
