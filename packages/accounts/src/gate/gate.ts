import { ACR, type Deps, type Enrolment, meets, policyLevel } from "@gatehouse/auth";
import type { Account } from "../store/accounts.ts";
import type { FirstFactor } from "./first-factor.ts";
import { proofOfFirst, type SignInProof } from "./proof.ts";

/** What decides whether a first factor is enough. */
export type GateQuestion = {
  status: AccountStatus;
  /** Is the first factor as strong as both? */
  isBoth: boolean;
  enrolment: Enrolment;
  /** This server demands a second factor of the user. MF-09. */
  demanded: boolean;
  /** The request asks for a level or a new proof, so a remembered browser skips nothing. MF-08. */
  insists: boolean;
  /** The user chose to be remembered in this browser. */
  remembered: boolean;
};

/**
 * What follows a first factor: a session, a second step, setting up a second factor, the offer to restore the account
 * (RG-10), or a refusal.
 */
export type Passage = "session" | "second_step" | "enrol" | "restore" | "refused";

/** May the account have sessions? */
export type AccountStatus = "active" | "to_be_deleted" | "disabled";

export function accountStatusOf({
  disabledAt,
  deleteAfter,
}: Pick<Account, "disabledAt" | "deleteAfter">): AccountStatus {
  if (disabledAt !== null) return "disabled";
  return deleteAfter === null ? "active" : "to_be_deleted";
}

/**
 * The gate after every first factor. MF-01. Restoring an account takes the second factor that it has, in remembered
 * browsers too. A passkey that verifies its user is asked for only on demand: it is a way to sign in, and a password
 * stays another one.
 */
export function passageFor({ status, isBoth, enrolment, demanded, insists, remembered }: GateQuestion): Passage {
  if (status === "disabled") return "refused";
  if (status === "to_be_deleted")
    return !isBoth && (hasSecondStep(enrolment) || (demanded && enrolment.passkey)) ? "second_step" : "restore";
  if (isBoth) return "session";
  if (hasSecondStep(enrolment)) return remembered && !demanded && !insists ? "session" : "second_step";
  if (!demanded) return "session";
  return enrolment.passkey ? "second_step" : "enrol";
}

/** Does every sign-in of this user ask for a second step? */
export function hasSecondStep({ totp, securityKey }: Enrolment): boolean {
  return totp || securityKey;
}

/** Can this user take a second step? */
export function canTakeSecondStep(enrolment: Enrolment): boolean {
  return hasSecondStep(enrolment) || enrolment.passkey;
}

export type GateResult = { passage: Passage; proof: SignInProof };

/** Decides what follows a first factor. `account` is as stored now. MF-01. */
export async function passGate(
  account: Pick<Account, "id" | "role" | "disabledAt" | "deleteAfter">,
  factor: FirstFactor,
  { insists, remembered }: { insists: boolean /** Asked only where it counts. */; remembered: () => Promise<boolean> },
  deps: Pick<Deps, "store" | "config" | "now">,
): Promise<GateResult> {
  const proof = proofOfFirst(factor, deps.now());
  const question = {
    status: accountStatusOf(account),
    isBoth: meets(proof.acr, ACR.mfa),
    enrolment: await deps.store.findEnrolment(account.id),
    demanded: policyLevel(account.role, deps.config) !== undefined,
    insists,
  };
  const skips = passageFor({ ...question, remembered: false }) !== passageFor({ ...question, remembered: true });
  return { passage: passageFor({ ...question, remembered: skips && (await remembered()) }), proof };
}
