import type { Account } from "../store/accounts.ts";

/** The state of an account that a proof was made against. */
export type Epochs = Pick<Account, "accessEpoch" | "signInEpoch">;

/**
 * Did nothing end the account's sign-ins between the two reads? A reset or a new password raises an epoch, so what was
 * proved before it no longer counts. WE-03.
 */
export function hasSameEpochs(one: Epochs, other: Epochs): boolean {
  return one.accessEpoch === other.accessEpoch && one.signInEpoch === other.signInEpoch;
}
