/** @jsxImportSource preact */
import {
  type AskedStep,
  type Continuation,
  describeStep,
  enrolInSignIn,
  findPendingStep,
  findStepOfSession,
  mayDecline,
  type NextStep,
  type StepSubject,
  stepId,
  takeSecondStep,
} from "@gatehouse/accounts";
import { continuationQuery } from "../../../views/continuation.ts";
import { confirmPath } from "../../../views/sign-in/confirm.tsx";
import { PasskeyButton, PasskeyScript } from "../../../views/sign-in/passkeys.tsx";
import { EnrolPage, NewCodesPage, SecondStepPage } from "../../../views/sign-in/second-step.tsx";
import type { Visit } from "../../routing/route.ts";
import { signInRequest } from "../account/request.ts";
import { noPendingSignInCookie, signInBrowser } from "../cookies/sign-in.ts";
import { browserForm } from "../forms/csrf.ts";
import { brandedFrame } from "../frame/frame.ts";
import { postedPasskey } from "../passkeys/ceremonies.ts";
import { page, seeOther, withCookies } from "../responses/respond.tsx";
import { tooManyAttempts } from "../responses/too-many-attempts.tsx";
import { nextStepCookies, nextStepResponse } from "./next-step.ts";
import { signInPage } from "./sign-in.tsx";

const PATH = "/sign-in/second-step";

/** Who takes the step, and what for; undefined when there is nothing to do, or no longer. `fields`: of the query or the form. */
export function findStep(fields: URLSearchParams, continuation: Continuation, visit: Visit): Promise<StepSubject | undefined> {
  const { deps } = visit.app;
  if (fields.get("raise") === "1") return findStepOfSession(visit.session, continuation, deps);
  return findPendingStep(signInBrowser(visit), deps);
}

/** Back to the start, with the request. */
export async function stepExpired(continuation: Continuation, visit: Visit): Promise<Response> {
  const response = await signInPage(visit, { continuation, problem: visit.texts.secondStep.expired }, 400);
  return withCookies(response, [noPendingSignInCookie(visit)]);
}

/** Takes the code or the passkey of the form. MF-02. */
export async function submitSecondStep(subject: StepSubject, continuation: Continuation, visit: Visit): Promise<Response> {
  const { form, texts, app } = visit;
  const passkey = postedPasskey(form);
  const typed = { code: form.get("code") ?? "", passkey, remember: form.get("remember") === "1" };
  const outcome = await takeSecondStep(subject, typed, continuation, signInRequest(visit), app.deps);
  switch (outcome.kind) {
    case "expired":
      return stepExpired(continuation, visit);
    case "wait":
      return tooManyAttempts(outcome.seconds, visit, PATH);
    case "wrong": {
      const problem = passkey ? texts.secondStep.keyFailed : texts.secondStep.incorrect;
      return secondStepPage(subject, continuation, { problem, recovery: form.get("recovery") === "1" }, visit);
    }
    case "next":
      return passed(subject, outcome.next, visit);
  }
}

/** Takes the first code of an authenticator app under setup. MF-09, AL-02. */
export async function submitEnrolment(subject: StepSubject, continuation: Continuation, visit: Visit): Promise<Response> {
  const { form, texts, app } = visit;
  const setup = form.get("setup") ?? "";
  const typed = { setup, code: form.get("code") ?? "", remember: form.get("remember") === "1" };
  const outcome = await enrolInSignIn(subject, typed, continuation, signInRequest(visit), app.deps);
  switch (outcome.kind) {
    case "expired":
      return stepExpired(continuation, visit);
    case "confirm":
      return seeOther(confirmationPath(continuation));
    case "wrong_code":
      return secondStepPage(subject, continuation, { problem: texts.secondStep.setUpIncorrect, setup }, visit);
    case "setup_expired":
      return secondStepPage(subject, continuation, { problem: texts.secondStep.setUpExpired }, visit);
    case "next":
      return outcome.codes ? newCodesPage(outcome.codes, subject, outcome.next, visit) : passed(subject, outcome.next, visit);
  }
}

const noPendingSignIn = ({ kind }: StepSubject, visit: Visit) => (kind === "pending" ? [noPendingSignInCookie(visit)] : []);

async function passed(subject: StepSubject, next: NextStep, visit: Visit): Promise<Response> {
  return withCookies(await nextStepResponse(next, visit), noPendingSignIn(subject, visit));
}

/** Where the user of a session confirms who they are before they set up a second factor. SN-03. */
function confirmationPath(continuation: Continuation): string {
  return confirmPath({ next: PATH + continuationQuery(continuation, { raise: "1" }), form: undefined });
}

type Asking = { problem?: string; recovery?: boolean /** The setup to show again. */; setup?: string };

/** The page that asks for the second step, or sets up a second factor. */
export async function secondStepPage(
  subject: StepSubject,
  continuation: Continuation,
  { problem, recovery = false, setup }: Asking,
  visit: Visit,
): Promise<Response> {
  const { deps, settings } = visit.app;
  const { csrf, cookies } = browserForm(visit);
  const raise = subject.kind === "session" ? "1" : undefined;
  const frame = await brandedFrame(visit, continuation.request);
  const common = { frame, csrf, fields: { ...continuation, raise, subject: stepId(subject) }, problem };
  const asked = await describeStep(subject, { setup, issuer: settings.current.productName }, deps);
  const status = problem === undefined ? 200 : 400;
  if (asked.kind === "prove") {
    const content = proofPage(asked, { continuation, recovery, raise }, common);
    return page(content, { status, cookies, ceremony: asked.ceremony !== undefined });
  }
  const confirmation = asked.mustConfirm ? confirmationPath(continuation) : undefined;
  const because = mayDecline(subject) ? "offered" : "required";
  return page(<EnrolPage {...common} setup={asked.setup} confirmation={confirmation} because={because} />, { status, cookies });
}

type Common = Pick<Parameters<typeof EnrolPage>[0], "frame" | "csrf" | "fields" | "problem">;
type Shown = { continuation: Continuation; recovery: boolean; raise: string | undefined };

function proofPage(
  { totp, recoveryCode, ceremony, canRemember }: Extract<AskedStep, { kind: "prove" }>,
  { continuation, recovery, raise }: Shown,
  common: Common,
) {
  const { secondStep, passkeys } = common.frame.texts;
  const keys = ceremony && (
    <>
      <PasskeyButton
        ceremony={ceremony}
        action={PATH}
        label={secondStep.useKey}
        fields={{ csrf: common.csrf, ...common.fields }}
        texts={passkeys}
      />
      <PasskeyScript />
    </>
  );
  const other = continuationQuery(continuation, { ...(raise && { raise }), ...(!recovery && { recovery: "1" }) });
  return (
    <SecondStepPage
      {...common}
      continuation={continuation}
      takesCodes={totp}
      recovery={recovery && recoveryCode}
      keys={keys}
      other={PATH + other}
      canRemember={canRemember}
    />
  );
}

/** Recovery codes that were just made, with the button that continues. MF-05. */
async function newCodesPage(codes: readonly string[], subject: StepSubject, next: NextStep, visit: Visit): Promise<Response> {
  const { csrf, cookies } = browserForm(visit);
  const { continuation } = next;
  // A required change of the password follows.
  const fields = next.kind === "new_password" ? { ...continuation, ticket: next.ticket } : continuation;
  const frame = await brandedFrame(visit, continuation.request);
  const set = [...nextStepCookies(next, visit), ...noPendingSignIn(subject, visit), ...cookies];
  return page(<NewCodesPage frame={frame} csrf={csrf} fields={fields} codes={codes} />, { cookies: set });
}
