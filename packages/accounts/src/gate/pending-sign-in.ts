import { type Deps, type Hash, sha256, type User } from "@gatehouse/auth";
import type { Account } from "../store/accounts.ts";
import { hasSameEpochs } from "./epochs.ts";
import type { FirstFactor } from "./first-factor.ts";
import { accountStatusOf, type Passage } from "./gate.ts";

/**
 * A sign-in between its first factor and its second step: sealed, in a cookie, for one browser, and spent once. Its
 * continuation travels beside it, in the forms: it decides on nothing here, and the authorization endpoint checks the
 * levels again. MF-02.
 */
export type PendingSignIn = {
  /** Of its row in the sign-in log. */
  id: string;
  userId: string;
  /** The user's epochs when it was made; a raised one ends it. */
  accessEpoch: number;
  signInEpoch: number;
  factor: FirstFactor;
  /** What is missing: a second step, or a second factor to set up. */
  step: Extract<Passage, "second_step" | "enrol">;
  keep: boolean;
  /** The browser can make a passkey, as the sign-in page reported. WA-13. */
  canMakePasskey?: boolean;
  browser: Hash;
  issuedAt: number;
};

const PURPOSE = "second step ticket";
export const PENDING_SIGN_IN_SECONDS = 600;
/** Browsers drop larger cookies. RFC 6265 §6.1. */
const MOST_CHARACTERS = 3800;

/**
 * Seals a pending sign-in. A provider's ID token that makes it too large for a cookie is left out: then sign-out does
 * not mention the provider.
 */
export function sealPendingSignIn(
  draft: Pick<PendingSignIn, "id" | "factor" | "step" | "keep" | "canMakePasskey" | "browser"> & {
    user: Pick<User, "id" | "accessEpoch" | "signInEpoch">;
  },
  deps: Pick<Deps, "seal" | "now">,
): string {
  const { user, ...rest } = draft;
  const { accessEpoch, signInEpoch } = user;
  const pending: PendingSignIn = {
    ...rest,
    userId: user.id,
    accessEpoch,
    signInEpoch,
    issuedAt: deps.now(),
  };
  const sealed = deps.seal.seal(PURPOSE, JSON.stringify(pending));
  if (sealed.length <= MOST_CHARACTERS || pending.factor.method !== "upstream") return sealed;
  const { idToken: _, ...factor } = pending.factor;
  return deps.seal.seal(PURPOSE, JSON.stringify({ ...pending, factor }));
}

/**
 * Opens a pending sign-in in the browser it was made for; undefined in another one, after ten minutes, or when it was
 * altered.
 */
export function openPendingSignIn(
  sealed: string,
  browser: Hash | null,
  deps: Pick<Deps, "seal" | "now">,
): PendingSignIn | undefined {
  const clear = deps.seal.open(PURPOSE, sealed);
  if (clear === undefined) return undefined;
  const pending: PendingSignIn = JSON.parse(clear); // sealed by us, so it has this shape
  return pending.browser === browser && deps.now() < pending.issuedAt + PENDING_SIGN_IN_SECONDS ? pending : undefined;
}

/**
 * Does the pending sign-in still count for its user? Not after a change that raised an epoch, such as a reset or a
 * deletion, nor for a disabled account. One from after the deletion leads to the offer to restore the account. WE-03,
 * RG-10.
 */
export function isPendingSignInOf(
  pending: PendingSignIn,
  account: Pick<Account, "id" | "accessEpoch" | "signInEpoch" | "disabledAt" | "deleteAfter">,
): boolean {
  return pending.userId === account.id && hasSameEpochs(pending, account) && accountStatusOf(account) !== "disabled";
}

/** Uses a pending sign-in up. False if that happened before: of racing requests one begins a session. */
export function spendPendingSignIn({ id, issuedAt }: PendingSignIn, deps: Pick<Deps, "store">): Promise<boolean> {
  return deps.store.spendOnce(sha256(`second step ${id}`), issuedAt + PENDING_SIGN_IN_SECONDS);
}
