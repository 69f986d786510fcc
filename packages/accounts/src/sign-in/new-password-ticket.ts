import { constantTimeEqual, type Deps, type Hash } from "@gatehouse/auth";
import type { AccountDeps } from "../deps.ts";
import type { FirstFactor } from "../gate/first-factor.ts";
import { accountStatusOf } from "../gate/gate.ts";
import type { SignInProof } from "../gate/proof.ts";
import type { Account } from "../store/accounts.ts";
import type { Continuation } from "./continuation.ts";

/**
 * A sign-in that passed the gate, second step included, but whose password has to be replaced before it counts. PW-04,
 * UM-03.
 */
export type RequiredChange = {
  /** Of the sign-in's row in the log. */
  id?: string;
  userId: string;
  /** Raised by the change itself, so that the ticket works once. */
  signInEpoch: number;
  /** The hash of the browser's cookie. */
  browser: Hash;
  factor: FirstFactor;
  /** What was proved before the change. The session says this. */
  proof: SignInProof;
  continuation: Continuation;
  /** "Keep me signed in". */
  keep: boolean;
  /** The browser can make a passkey, as the sign-in page reported. WA-13. */
  canMakePasskey?: boolean;
  /**
   * "Remember this browser". The change ends earlier remembered browsers, so this one is remembered after it. MF-08.
   */
  remember: boolean;
};

const PURPOSE = "required password change";
const LIFETIME_SECONDS = 600;

/** Seals a sign-in for the form that asks for the new password. */
export function sealRequiredChange(change: RequiredChange, { seal, now }: Pick<Deps, "seal" | "now">): string {
  return seal.seal(PURPOSE, JSON.stringify([now(), change]));
}

/**
 * The sign-in behind a ticket and its account; undefined after ten minutes, in another browser, and once the account
 * has changed.
 */
export async function openRequiredChange(
  { ticket, browser }: { ticket: string; browser: Hash | null },
  { seal, now, people }: Pick<AccountDeps, "seal" | "now" | "people">,
): Promise<{ change: RequiredChange; account: Account } | undefined> {
  const clear = seal.open(PURPOSE, ticket);
  if (clear === undefined || browser === null) return undefined;
  const [at, change]: [number, RequiredChange] = JSON.parse(clear); // sealed by us, so it has this shape
  if (now() >= at + LIFETIME_SECONDS || !constantTimeEqual(change.browser, browser)) return undefined;
  const account = await people.findAccount(change.userId);
  const live = account?.signInEpoch === change.signInEpoch && accountStatusOf(account) === "active";
  return account && live ? { change, account } : undefined;
}
