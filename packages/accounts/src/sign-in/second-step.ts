import { ACR, type ActiveSession, describeLevelStep, type LevelStep, raiseSession, type User } from "@gatehouse/auth";
import { hasFreshSignIn } from "../fresh-sign-in/fresh-sign-in.ts";
import {
  isPendingSignInOf,
  openPendingSignIn,
  type PendingSignIn,
  spendPendingSignIn,
} from "../gate/pending-sign-in.ts";
import { proofOfFirst, type SecondFactor, withSecond } from "../gate/proof.ts";
import { type PostedCeremony, provePasskey } from "../passkeys/authenticate.ts";
import { actingBrowser } from "../registration/account-request.ts";
import { addTotp } from "../second-factors/manage-totp.ts";
import { verifySecondCode } from "../second-factors/verify-code.ts";
import type { SignInCause } from "../sign-in-log/causes.ts";
import { recordSignIn } from "../sign-in-log/record.ts";
import { whyCodeIsRefused } from "../sign-in-log/second-code.ts";
import type { Account } from "../store/accounts.ts";
import type { Continuation } from "./continuation.ts";
import { afterGate } from "./order.ts";
import type { NextStep, SignInBrowser, SignInDeps, SignInRequest } from "./sign-in.ts";

/** Who takes a second step, and what for. */
export type StepSubject =
  /** A sign-in that has no session yet. */
  | { kind: "pending"; user: Account; pending: PendingSignIn }
  /** A session whose level a request wants raised. AL-02. */
  | { kind: "session"; user: User; active: ActiveSession; step: Extract<LevelStep, { kind: "second_step" }> };

/** The sign-in of this browser that waits for its second step; undefined if there is none, or it has ended. */
export async function findPendingStep(
  { hash, pending: sealed }: Pick<SignInBrowser, "hash" | "pending">,
  deps: SignInDeps,
): Promise<StepSubject | undefined> {
  const pending = sealed === undefined ? undefined : openPendingSignIn(sealed, hash, deps);
  const user = pending && (await deps.people.findAccount(pending.userId));
  return pending && user && isPendingSignInOf(pending, user) ? { kind: "pending", pending, user } : undefined;
}

/** The session, if the request that it continues with asks for more than it proved; undefined otherwise. */
export async function findStepOfSession(
  active: ActiveSession | undefined,
  { request }: Continuation,
  deps: SignInDeps,
): Promise<StepSubject | undefined> {
  const step = active && request !== undefined ? await describeLevelStep(request, active, deps) : undefined;
  return active && step?.kind === "second_step" ? { kind: "session", user: active.user, active, step } : undefined;
}

/** What the forms of the page say they are about: another tab can replace the sign-in, or the session. */
export function stepId(subject: StepSubject): string {
  return subject.kind === "pending" ? subject.pending.id : subject.active.session.id;
}

/** May the user go on without the step? */
export function mayDecline(subject: StepSubject): boolean {
  return subject.kind === "session" && !subject.step.policy;
}

/** Does the user have to set up a second factor first? */
export function mustEnrol(subject: StepSubject): boolean {
  return subject.kind === "pending" ? subject.pending.step === "enrol" : !subject.step.enrolled;
}

/**
 * Does the user of a session confirm who they are before they set up a second factor? A stolen session must not add
 * one. Not in a sign-in, and not after a confirmation. SN-03.
 */
export async function mustConfirm(subject: StepSubject, deps: SignInDeps): Promise<boolean> {
  return subject.kind === "session" && mustEnrol(subject) && !(await hasFreshSignIn(subject.active, deps));
}

/** A request for a passkey is not met by a code. */
export const takesPasskeyOnly = (subject: StepSubject) => subject.kind === "session" && subject.step.level === ACR.phr;

/** What a passkey of the second step is bound to. WA-05. */
export function passkeyPurposeOf(subject: StepSubject) {
  return { purpose: "second_step", userId: subject.user.id, browser: stepId(subject) } as const;
}

/** What the form of the page says. */
export type SecondStepForm = {
  /**
   * The step is of the session, for a request that wants its level raised. Otherwise it is of the pending sign-in.
   * AL-02.
   */
  raise: boolean;
  /** What the page was about, as {@link stepId} names it. */
  subject: string | null;
  /** "Not now". */
  declines: boolean;
  code: string;
  passkey: PostedCeremony | undefined;
  /** The authenticator app under setup. */
  setup: string;
  /** "Remember this browser". MF-08. */
  remember: boolean;
};

export type SecondStepOutcome =
  /**
   * `endsPending`: a pending sign-in was completed, and its cookie goes. `codes`: new recovery codes, to be shown once.
   * MF-05.
   */
  | { kind: "next"; next: NextStep; endsPending: boolean; codes?: readonly string[] | undefined }
  /** The sign-in or session is no longer at this step. */
  | { kind: "expired" }
  /** The form belongs to an earlier step of this browser. */
  | { kind: "out_of_date" }
  | { kind: "declined"; active: ActiveSession }
  | { kind: "wait"; seconds: number }
  | { kind: "wrong" | "wrong_setup_code" | "setup_expired"; subject: StepSubject }
  /**
   * The user of a session confirms who they are first. The form is not kept, since its code would be too old. SN-03.
   */
  | { kind: "confirm" };

type StepContext = { continuation: Continuation; active: ActiveSession | undefined };

/**
 * Takes the second step of a sign-in or a session, or sets up a second factor, which is the step. MF-02, MF-09, AL-02.
 */
export async function takeSecondStep(
  form: SecondStepForm,
  { continuation, active }: StepContext,
  request: SignInRequest,
  deps: SignInDeps,
): Promise<SecondStepOutcome> {
  const subject = form.raise
    ? await findStepOfSession(active, continuation, deps)
    : await findPendingStep(request.browser, deps);
  if (!subject) return { kind: "expired" };
  if (form.subject !== stepId(subject)) return { kind: "out_of_date" };
  if (form.declines && mayDecline(subject) && active) return { kind: "declined", active };
  const take = mustEnrol(subject) ? enrol : prove;
  return take(subject, form, continuation, request, deps);
}

/** Five wrong answers end the sign-in, and wrong answers are counted for the account too. MF-02, AB-02. */
async function prove(
  subject: StepSubject,
  form: SecondStepForm,
  continuation: Continuation,
  request: SignInRequest,
  deps: SignInDeps,
): Promise<SecondStepOutcome> {
  const byStep = deps.limits.secondStep(subject.kind === "pending" ? stepId(subject) : `session ${stepId(subject)}`);
  const failed = (cause: SignInCause) =>
    recordSignIn({ factor: "second_step", cause, who: { userId: subject.user.id } }, continuation, request, deps);
  if ((await byStep.begin()) > 0) {
    await failed("too_many_attempts");
    return { kind: "expired" };
  }
  const byAccount = deps.limits.secondFactor(subject.user.id);
  const seconds = await byAccount.begin();
  if (seconds > 0) {
    await failed("too_many_attempts");
    return { kind: "wait", seconds };
  }

  const second = await proveSecond(subject, form, request, deps);
  if (!second) {
    await failed(form.passkey ? "security_key_refused" : await whyCodeIsRefused(subject.user.id, form.code, deps));
    return { kind: "wrong", subject };
  }
  await Promise.all([byStep.succeeded(), byAccount.succeeded()]);
  return pass(subject, second, { continuation, remember: form.remember }, request, deps);
}

async function proveSecond(
  subject: StepSubject,
  { code, passkey }: SecondStepForm,
  request: SignInRequest,
  deps: SignInDeps,
): Promise<SecondFactor | undefined> {
  if (passkey) {
    const proof = await provePasskey(passkey, passkeyPurposeOf(subject), actingBrowser(request), deps);
    if (proof.kind === "refused") return undefined;
    return proof.userVerified ? "passkey" : "security_key";
  }
  return takesPasskeyOnly(subject)
    ? undefined
    : (await verifySecondCode(subject.user, code, actingBrowser(request), deps))?.factor;
}

async function enrol(
  subject: StepSubject,
  form: SecondStepForm,
  continuation: Continuation,
  request: SignInRequest,
  deps: SignInDeps,
): Promise<SecondStepOutcome> {
  if (await mustConfirm(subject, deps)) return { kind: "confirm" };
  const added = await addTotp(
    { ...subject.user, actor: stepId(subject) },
    form.setup,
    form.code,
    actingBrowser(request),
    deps,
  );
  if (added.kind === "wrong_code") return { kind: "wrong_setup_code", subject };
  if (added.kind === "expired") return { kind: "setup_expired", subject };
  if (added.kind !== "on") return { kind: "expired" };
  const passed = await pass(subject, "totp", { continuation, remember: form.remember }, request, deps);
  return passed.kind === "next" ? { ...passed, codes: added.codes } : passed;
}

type Passed = Extract<SecondStepOutcome, { kind: "expired" | "next" }>;

/**
 * Continues a pending sign-in, or raises the level of a session. `expired` if somebody else did so with the same
 * one.
 */
async function pass(
  subject: StepSubject,
  second: SecondFactor,
  { continuation, remember }: { continuation: Continuation; remember: boolean },
  request: SignInRequest,
  deps: SignInDeps,
): Promise<Passed> {
  const now = deps.now();
  if (subject.kind === "session") {
    const raised = await raiseSession(subject.active, withSecond(subject.active.session, second, now), deps);
    if (!raised) return { kind: "expired" };
    const { secret, ...active } = raised;
    return { kind: "next", next: { kind: "raised", active, secret, continuation }, endsPending: false };
  }
  const { pending, user } = subject;
  if (!(await spendPendingSignIn(pending, deps))) return { kind: "expired" };
  const first = proofOfFirst(pending.factor, pending.issuedAt); // AL-03: the time of the first factor stays
  const proof = { ...first, ...withSecond(first, second, now) };
  const { factor, keep, canMakePasskey = false } = pending;
  const signIn = { id: pending.id, factor, proof, keep, canMakePasskey, remember };
  return { kind: "next", next: await afterGate(user, signIn, continuation, request, deps), endsPending: true };
}
