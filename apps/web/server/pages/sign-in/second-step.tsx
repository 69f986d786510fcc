/** @jsxImportSource preact */
import { beginPasskeyStep, beginTotp, type PasskeyCeremony, type Person, resumeTotp, type Ticket } from "@gatehouse/accounts";
import {
  ACR,
  type ActiveSession,
  csrfToken,
  describeLevelStep,
  type Enrolment,
  type LevelStep,
  policyLevel,
  type User,
} from "@gatehouse/auth";
import { confirmPath } from "../../../views/sign-in/confirm.tsx";
import { PasskeyButton, PasskeyScript } from "../../../views/sign-in/passkeys.tsx";
import { EnrolPage, NewCodesPage, SecondStepPage } from "../../../views/sign-in/second-step.tsx";
import { type Continuation, continuationQuery } from "../../../views/sign-in/sign-in.tsx";
import type { Visit } from "../../routing/route.ts";
import { ticketOf } from "../cookies/ticket.ts";
import { brandedFrame } from "../frame/frame.ts";
import { page } from "../responses/respond.tsx";
import { hasSudo } from "./confirm.tsx";

/** Who takes a second step, and what for. */
export type StepSubject =
  /** A sign-in that has no session yet. */
  | { kind: "ticket"; user: Person; ticket: Ticket }
  /** A session whose level a request wants raised. AL-02. */
  | { kind: "session"; user: User; active: ActiveSession; step: Extract<LevelStep, { kind: "second_step" }> };

/** The subject of a request to the page; undefined when there is nothing to do, or no longer. `fields`: of the query or the form. */
export async function subjectOf(fields: URLSearchParams, { request }: Continuation, visit: Visit): Promise<StepSubject | undefined> {
  if (fields.get("raise") !== "1") {
    const found = await ticketOf(visit);
    return found && { kind: "ticket", ...found };
  }
  const { session: active, app } = visit;
  const step = active && request !== undefined ? await describeLevelStep(request, active, app.deps) : undefined;
  return active && step?.kind === "second_step" ? { kind: "session", user: active.user, active, step } : undefined;
}

/** What the forms of the page say they are about: another tab can replace the ticket, or the session. */
export function subjectId(subject: StepSubject): string {
  return subject.kind === "ticket" ? subject.ticket.id : subject.active.session.id;
}

/** Does the user have to set up a second factor first? */
export function mustEnrol(subject: StepSubject): boolean {
  return subject.kind === "ticket" ? subject.ticket.step === "enrol" : !subject.step.enrolled;
}

/**
 * Where the user of a session confirms who they are before they set up a second factor: a stolen session must not add one. Undefined in a
 * sign-in, and after a confirmation. The form is not kept, since its code would be too old. SN-03.
 */
export async function confirmationBefore(subject: StepSubject, continuation: Continuation, { app }: Visit): Promise<string | undefined> {
  if (subject.kind === "ticket" || !mustEnrol(subject) || (await hasSudo(subject.active, app))) return undefined;
  const next = `/sign-in/second-step${continuationQuery(continuation, { raise: "1" })}`;
  return confirmPath({ next, form: undefined });
}

/** May the user go on without the step? */
export function mayDecline(subject: StepSubject): boolean {
  return subject.kind === "session" && !subject.step.policy;
}

type Asking = { problem?: string; recovery?: boolean /** The setup to show again. */; setup?: string | undefined };

/** The page that asks for the second step, or sets up a second factor. */
export async function askForStep(subject: StepSubject, continuation: Continuation, asking: Asking, visit: Visit): Promise<Response> {
  const { deps } = visit.app;
  const { token, setCookie } = csrfToken(visit.request.headers.get("cookie"), undefined, deps);
  const { problem } = asking;
  const raise = subject.kind === "session" ? "1" : undefined;
  const common = {
    frame: await brandedFrame(visit, continuation.request),
    csrf: token,
    fields: { ...continuation, raise, subject: subjectId(subject) },
    problem,
  };
  const ceremony = mustEnrol(subject) ? undefined : await beginPasskeyStep(passkeyPurposeOf(subject), deps);
  const confirmation = await confirmationBefore(subject, continuation, visit);
  const content = mustEnrol(subject)
    ? enrolment(subject, asking, { ...common, confirmation }, visit)
    : step(subject, continuation, asking, common, {
        enrolled: await deps.store.findEnrolment(subject.user.id),
        demanded: policyLevel(subject.user.role, deps.config) !== undefined,
        ceremony,
      });
  return page(content, { status: problem === undefined ? 200 : 400, cookies: [setCookie], ceremony: ceremony !== undefined });
}

/** What a passkey of the second step is bound to. WA-05. */
export function passkeyPurposeOf(subject: StepSubject) {
  return { purpose: "second_step", userId: subject.user.id, browser: subjectId(subject) } as const;
}

type Common = Pick<Parameters<typeof EnrolPage>[0], "frame" | "csrf" | "fields" | "problem">;

type Enrolling = Common & Pick<Parameters<typeof EnrolPage>[0], "confirmation">;

function enrolment(subject: StepSubject, { setup: sealed }: Asking, common: Enrolling, { app: { deps, env } }: Visit) {
  const onlyPasskey = subject.kind === "session" && subject.step.level === ACR.phr;
  const setter = { ...subject.user, actor: subjectId(subject) };
  const again = sealed === undefined ? undefined : resumeTotp(sealed, setter, env.productName, deps);
  const setup = onlyPasskey ? undefined : (again ?? beginTotp(setter, env.productName, deps));
  return <EnrolPage {...common} setup={setup} because={mayDecline(subject) ? "offered" : "required"} />;
}

function step(
  subject: StepSubject,
  continuation: Continuation,
  { recovery = false }: Asking,
  common: Common,
  { enrolled, demanded, ceremony }: { enrolled: Enrolment; demanded: boolean; ceremony: PasskeyCeremony | undefined },
) {
  const { secondStep, passkeys } = common.frame.texts;
  const onlyPasskey = subject.kind === "session" && subject.step.level === ACR.phr;
  const keys = ceremony && (
    <>
      <PasskeyButton
        ceremony={ceremony}
        action="/sign-in/second-step"
        label={secondStep.useKey}
        fields={{ csrf: common.csrf, ...common.fields }}
        texts={passkeys}
      />
      <PasskeyScript />
    </>
  );
  const query = new URLSearchParams(continuationQuery(continuation));
  if (subject.kind === "session") query.set("raise", "1");
  if (!recovery) query.set("recovery", "1");
  return (
    <SecondStepPage
      {...common}
      continuation={continuation}
      takesCodes={enrolled.totp && !onlyPasskey}
      recovery={recovery && !onlyPasskey}
      keys={keys}
      other={`/sign-in/second-step?${query}`}
      canRemember={subject.kind === "ticket" && !demanded && subject.user.deleteAfter === null}
    />
  );
}

/** Recovery codes that were just made, with the button that continues. MF-05. */
export async function showNewCodes(
  codes: readonly string[],
  fields: Continuation & { /** Of a required password change, which follows. */ ticket?: string },
  cookies: readonly string[],
  visit: Visit,
): Promise<Response> {
  const { token, setCookie } = csrfToken(visit.request.headers.get("cookie"), undefined, visit.app.deps);
  const props = { frame: await brandedFrame(visit, fields.request), csrf: token, fields, codes };
  return page(<NewCodesPage {...props} />, { cookies: [...cookies, setCookie] });
}
