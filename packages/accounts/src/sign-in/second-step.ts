import { ACR, type ActiveSession, describeLevelStep, type LevelStep, policyLevel, raiseSession, type User } from "@gatehouse/auth";
import { hasFreshSignIn } from "../fresh-sign-in/fresh-sign-in.ts";
import { isPendingSignInOf, openPendingSignIn, type PendingSignIn, spendPendingSignIn } from "../gate/pending-sign-in.ts";
import { proofOfFirst, type SecondFactor, withSecond } from "../gate/proof.ts";
import { type PostedCeremony, provePasskey } from "../passkeys/authenticate.ts";
import { beginPasskeyStep, type PasskeyCeremony } from "../passkeys/begin.ts";
import { sourceOf } from "../registration/account-request.ts";
import { addTotp, beginTotp, resumeTotp, type TotpSetup } from "../second-factors/manage-totp.ts";
import { verifySecondCode } from "../second-factors/verify-code.ts";
import type { Account } from "../store/people.ts";
import type { Continuation } from "./continuation.ts";
import { countSignIn } from "./count.ts";
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
  { hash, ticket: sealed }: Pick<SignInBrowser, "hash" | "ticket">,
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

/** May the user skip the step? */
export function mayDecline(subject: StepSubject): boolean {
  return subject.kind === "session" && !subject.step.policy;
}

/** Does the user have to set up a second factor first? */
export function mustEnrol(subject: StepSubject): boolean {
  return subject.kind === "pending" ? subject.pending.step === "enrol" : !subject.step.enrolled;
}

/**
 * Does the user of a session confirm who they are before they set up a second factor? A stolen session must not add one. Not in a
 * sign-in, and not after a confirmation. SN-03.
 */
async function mustConfirm(subject: StepSubject, deps: SignInDeps): Promise<boolean> {
  return subject.kind === "session" && mustEnrol(subject) && !(await hasFreshSignIn(subject.active, deps));
}

/** A request for a passkey is not met by a code. */
const takesPasskeyOnly = (subject: StepSubject) => subject.kind === "session" && subject.step.level === ACR.phr;

/** What the page asks for. */
export type AskedStep =
  /** `setup`: undefined where only a passkey would do. */
  | { kind: "enrol"; setup: TotpSetup | undefined; mustConfirm: boolean }
  | {
      kind: "prove";
      /** Whether the user can type a code of an app. */
      totp: boolean;
      recoveryCode: boolean;
      ceremony: PasskeyCeremony | undefined;
      /** Whether this browser can skip the step from now on. MF-08. */
      canRemember: boolean;
    };

/** Describes the step for its page. `setup`: the one to show again. `issuer`: the name that authenticator apps show. */
export async function describeStep(
  subject: StepSubject,
  { setup, issuer }: { setup: string | undefined; issuer: string },
  deps: SignInDeps,
): Promise<AskedStep> {
  const onlyPasskey = takesPasskeyOnly(subject);
  if (mustEnrol(subject)) {
    const setter = { ...subject.user, actor: stepId(subject) };
    const again = setup === undefined ? undefined : resumeTotp(setup, setter, issuer, deps);
    const offered = onlyPasskey ? undefined : (again ?? beginTotp(setter, issuer, deps));
    return { kind: "enrol", setup: offered, mustConfirm: await mustConfirm(subject, deps) };
  }
  const ceremony = await beginPasskeyStep(passkeyPurposeOf(subject), deps);
  const { totp } = await deps.store.findEnrolment(subject.user.id);
  const isRequired = policyLevel(subject.user.role, deps.config) !== undefined;
  const canRemember = subject.kind === "pending" && !isRequired && subject.user.deleteAfter === null;
  return { kind: "prove", totp: totp && !onlyPasskey, recoveryCode: !onlyPasskey, ceremony, canRemember };
}

/** What a passkey of the second step is bound to. WA-05. */
function passkeyPurposeOf(subject: StepSubject) {
  return { purpose: "second_step", userId: subject.user.id, browser: stepId(subject) } as const;
}

/** What the form has: a code or a passkey, and "Remember this browser". */
export type TypedStep = { code: string; passkey: PostedCeremony | undefined; remember: boolean };

/** `expired`: the sign-in or session is no longer at this step. */
export type StepOutcome = { kind: "expired" } | { kind: "wait"; seconds: number } | { kind: "wrong" } | { kind: "next"; next: NextStep };

/** Takes the second step. Five wrong answers end the sign-in, and wrong answers are counted for the account too. MF-02, AB-02. */
export async function takeSecondStep(
  subject: StepSubject,
  typed: TypedStep,
  continuation: Continuation,
  request: SignInRequest,
  deps: SignInDeps,
): Promise<StepOutcome> {
  const byStep = deps.limits.secondStep(subject.kind === "pending" ? stepId(subject) : `session ${stepId(subject)}`);
  if ((await byStep.begin()) > 0) return { kind: "expired" };
  const byAccount = deps.limits.secondFactor(subject.user.id);
  const seconds = await byAccount.begin();
  if (seconds > 0) return { kind: "wait", seconds };

  const second = await proveSecond(subject, typed, request, deps);
  if (!second) {
    countSignIn("failed", "second_step", continuation, deps);
    return { kind: "wrong" };
  }
  await Promise.all([byStep.succeeded(), byAccount.succeeded()]);
  return pass(subject, second, { continuation, remember: typed.remember }, request, deps);
}

async function proveSecond(
  subject: StepSubject,
  { code, passkey }: TypedStep,
  request: SignInRequest,
  deps: SignInDeps,
): Promise<SecondFactor | undefined> {
  const by = { source: sourceOf(request), locale: request.locale };
  if (passkey) {
    const proof = await provePasskey(passkey, passkeyPurposeOf(subject), by, deps);
    if (proof.kind === "refused") return undefined;
    return proof.userVerified ? "passkey" : "security_key";
  }
  return takesPasskeyOnly(subject) ? undefined : (await verifySecondCode(subject.user, code, by, deps))?.factor;
}

export type EnrolOutcome =
  | { kind: "expired" | "wrong_code" | "setup_expired" }
  /** The user of a session confirms who they are first. The form is not kept, since its code would be too old. SN-03. */
  | { kind: "confirm" }
  /** `codes`: new recovery codes, to be shown once. MF-05. */
  | { kind: "next"; next: NextStep; codes: readonly string[] | undefined };

/** Sets up an authenticator app, which is the second step. MF-09, AL-02. */
export async function enrolInSignIn(
  subject: StepSubject,
  typed: { setup: string; code: string; remember: boolean },
  continuation: Continuation,
  request: SignInRequest,
  deps: SignInDeps,
): Promise<EnrolOutcome> {
  if (await mustConfirm(subject, deps)) return { kind: "confirm" };
  const by = { source: sourceOf(request), locale: request.locale };
  const added = await addTotp({ ...subject.user, actor: stepId(subject) }, typed.setup, typed.code, by, deps);
  if (added.kind === "wrong_code") return { kind: "wrong_code" };
  if (added.kind === "expired") return { kind: "setup_expired" };
  if (added.kind !== "on") return { kind: "expired" };
  const passed = await pass(subject, "totp", { continuation, remember: typed.remember }, request, deps);
  return passed.kind === "next" ? { ...passed, codes: added.codes } : passed;
}

type Passed = { kind: "expired" } | { kind: "next"; next: NextStep };

/** Continues a pending sign-in, or raises the level of a session. `expired` if somebody else did so with the same one. */
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
    return { kind: "next", next: { kind: "raised", active, secret, continuation } };
  }
  const { pending, user } = subject;
  if (!(await spendPendingSignIn(pending, deps))) return { kind: "expired" };
  const first = proofOfFirst(pending.factor, pending.issuedAt); // AL-03: the time of the first factor stays
  const proof = { ...first, ...withSecond(first, second, now) };
  const { factor, keep, canMakePasskey = false } = pending;
  const signIn = { factor, proof, keep, canMakePasskey, remember };
  return { kind: "next", next: await afterGate(user, signIn, continuation, request, deps) };
}
