import { policyLevel } from "@gatehouse/auth";
import { beginPasskeyStep, type PasskeyCeremony } from "../passkeys/begin.ts";
import { beginTotp, resumeTotp, type TotpSetup } from "../second-factors/manage-totp.ts";
import { mustConfirm, mustEnrol, passkeyPurposeOf, type StepSubject, stepId, takesPasskeyOnly } from "./second-step.ts";
import type { SignInDeps } from "./sign-in.ts";

/** What the page of the second step asks for. */
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
