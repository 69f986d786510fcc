import {
  ACR,
  type ActiveSession,
  CONFIRMED_AMR,
  type Enrolment,
  isUndated,
  RECOVERY_AMR,
  type Session,
} from "@gatehouse/auth";
import type { AccountDeps } from "../deps.ts";
import { hasSecondStep } from "../gate/gate.ts";

/** For how long a confirmed sign-in allows sensitive changes. SN-03. */
export const FRESH_SIGN_IN_SECONDS = 600;

/** What an account has that its user can prove. */
export type Provable = {
  password: boolean;
  /** A passkey that verifies its user and works here. */
  passkey: boolean;
  enrolment: Enrolment;
};

/** What a user has to prove again before a sensitive change. SN-03. */
export type MissingProofs = {
  first: boolean;
  /**
   * `code`: any code of the second step. `recovery_code`: the account's passkey, or a recovery code in its place. Null:
   * nothing.
   */
  second: "code" | "recovery_code" | null;
};

/**
 * What is missing for a fresh sign-in: the first factor, and the account's strongest other one, proved within ten
 * minutes. An account with a passkey takes the passkey: a password and a code can be phished, and would add the
 * attacker's own passkey. WA-03. A recovery code takes its place. A sign-in by mail is no first factor for an account
 * with a password, and with a passkey alone it takes a recovery code too. FP-07, MF-07. Nor is a sign-in at a provider
 * that does not say when its user signed in, until they have confirmed there: an open browser gets one without being
 * asked for anything. UP-13.
 */
export function missingProofs(
  { authTime, secondAt, acr, amr }: Pick<Session, "authTime" | "secondAt" | "acr" | "amr">,
  { password, passkey, enrolment }: Provable,
  now: number,
): MissingProofs {
  const isRecent = (at: number | null) => at !== null && now - at < FRESH_SIGN_IN_SECONDS;
  const byMail = acr === ACR.email;
  const unasked = isUndated({ amr }) && !amr.includes(CONFIRMED_AMR);
  const first = !isRecent(authTime) || unasked || (byMail && password);
  // A passkey of another domain works no more. It still must not make mail alone enough.
  const strongest = passkey || (byMail && enrolment.passkey);
  const isStrong = acr === ACR.phr || amr.includes(RECOVERY_AMR);
  if (strongest) return { first, second: isRecent(secondAt) && isStrong ? null : "recovery_code" };
  return { first, second: hasSecondStep(enrolment) && !isRecent(secondAt) ? "code" : null };
}

/** {@link missingProofs} of a session, for the account as it is now. */
export async function findMissingProofs(
  { session, user }: ActiveSession,
  { people, store, accounts, now }: Pick<AccountDeps, "people" | "store" | "accounts" | "now">,
): Promise<MissingProofs> {
  const [ways, enrolment] = await Promise.all([
    people.findSignInMethods(user.id, accounts.passkeys?.rpId ?? null),
    store.findEnrolment(user.id),
  ]);
  const provable = { password: ways?.password ?? false, passkey: (ways?.passkeys.length ?? 0) > 0, enrolment };
  return missingProofs(session, provable, now());
}

/** Is nothing missing? */
export function isConfirmed({ first, second }: MissingProofs): boolean {
  return !first && second === null;
}

/** Did the user prove who they are, with all that a sensitive change takes, within the last 10 minutes? SN-03. */
export async function hasFreshSignIn(
  active: ActiveSession,
  deps: Parameters<typeof findMissingProofs>[1],
): Promise<boolean> {
  return isConfirmed(await findMissingProofs(active, deps));
}
