/** @jsxImportSource preact */
import {
  type AskedStep,
  type Continuation,
  describeStep,
  mayDecline,
  type NextStep,
  type StepSubject,
  stepId,
} from "@gatehouse/accounts";
import { continuationQuery } from "../../../views/continuation.ts";
import { confirmPath } from "../../../views/sign-in/confirm.tsx";
import { PasskeyButton } from "../../../views/sign-in/passkeys.tsx";
import { EnrolPage, NewCodesPage, SecondStepPage } from "../../../views/sign-in/second-step.tsx";
import type { Visit } from "../../routing/visit.ts";
import { browserForm } from "../forms/csrf.ts";
import { brandedFrame } from "../frame/frame.ts";
import { page } from "../responses/respond.ts";
import { nextStepCookies } from "./next-step.ts";

const PATH = "/sign-in/second-step";

/** Where the user of a session confirms who they are before they set up a second factor. SN-03. */
export function confirmationPath(continuation: Continuation): string {
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
    return page(content, { status, cookies });
  }
  const confirmation = asked.mustConfirm ? confirmationPath(continuation) : undefined;
  const because = mayDecline(subject) ? "offered" : "required";
  return page(<EnrolPage {...common} setup={asked.setup} confirmation={confirmation} because={because} />, {
    status,
    cookies,
  });
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
    <PasskeyButton
      ceremony={ceremony}
      action={PATH}
      label={secondStep.useKey}
      fields={{ csrf: common.csrf, ...common.fields }}
      texts={passkeys}
    />
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
export async function newCodesPage(codes: readonly string[], next: NextStep, visit: Visit): Promise<Response> {
  const { csrf, cookies } = browserForm(visit);
  const { continuation } = next;
  // A required change of the password follows.
  const fields = next.kind === "new_password" ? { ...continuation, ticket: next.ticket } : continuation;
  const frame = await brandedFrame(visit, continuation.request);
  const content = <NewCodesPage frame={frame} csrf={csrf} fields={fields} codes={codes} />;
  return page(content, { cookies: [...nextStepCookies(next, visit), ...cookies] });
}
