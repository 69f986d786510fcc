import type { Hash } from "@gatehouse/auth";
import type { AccountRecord } from "./account-record.ts";

/** An authenticator app. `secret` is sealed base32. */
export type TotpRow = { secret: string; lastStep: number; createdAt: number; lastUsedAt: number | null };

/** A browser that skips the second step. MF-08. */
export type RememberedBrowser = {
  id: string;
  userAgent: string | null;
  address: string | null;
  createdAt: number;
  lastUsedAt: number;
  expiresAt: number;
};

export type NewRememberedBrowser = RememberedBrowser & { hash: Hash; userId: string; signInEpoch: number };

/** Whose factors change. `signInEpoch`: as it was read to decide on the change. */
export type FactorOwner = { userId: string; signInEpoch: number };

/** `sessionId`: the public id of the session that stays. `codes`: the recovery codes go too. */
export type TotpRemoval = { userId: string; signInEpoch: number; sessionId: string; codes: boolean };

export type SecondFactorStore = {
  findTotp(userId: string): Promise<TotpRow | undefined>;
  /**
   * Turns the app on, and replaces the recovery codes if there are new ones. "exists" if the user has an app already,
   * "stale" if the user's `signInEpoch` has changed.
   */
  addTotp(
    owner: FactorOwner,
    totp: Omit<TotpRow, "lastUsedAt">,
    codes: readonly Hash[] | undefined,
    also: AccountRecord,
  ): Promise<"added" | "exists" | "stale">;
  /** Spends a time step, and those before it. False if it was spent: of racing requests one wins. MF-04. */
  spendTotpStep(userId: string, step: number, now: number): Promise<boolean>;
  /**
   * Turns the app off and ends what the loss of a factor ends. False if the user's `signInEpoch` is
   * no longer the given one: something else changed meanwhile.
   */
  removeTotp(removal: TotpRemoval, also: AccountRecord, now: number): Promise<boolean>;
  /** The number of unused recovery codes. */
  countRecoveryCodes(userId: string): Promise<number>;
  /** Voids the earlier codes. False if the user's `signInEpoch` has changed. */
  replaceRecoveryCodes(owner: FactorOwner, codes: readonly Hash[], also: AccountRecord, now: number): Promise<boolean>;
  /** Spends a recovery code. False if it is unknown or used. MF-05. */
  spendRecoveryCode(userId: string, hash: Hash, also: AccountRecord, now: number): Promise<boolean>;
  rememberBrowser(browser: NewRememberedBrowser, also: AccountRecord): Promise<void>;
  /** Is this browser remembered? Notes the use. */
  useRememberedBrowser(userId: string, hash: Hash, now: number): Promise<boolean>;
  listRememberedBrowsers(userId: string, now: number): Promise<RememberedBrowser[]>;
  forgetBrowser(userId: string, id: string, also: AccountRecord, now: number): Promise<boolean>;
};
