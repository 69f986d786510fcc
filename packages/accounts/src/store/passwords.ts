import type { Hash } from "@gatehouse/auth";
import type { Ends } from "../events/what-ends.ts";
import type { AccountRecord } from "./account-record.ts";

/** A new password in place of the one whose hash is `old`, null for none. */
export type PasswordChange = {
  userId: string;
  /**
   * As the sign-in or session that asks for the change has it: a reset meanwhile has ended that one, so it changes
   * nothing.
   */
  signInEpoch: number;
  old: string | null;
  hash: string;
  ends: Ends;
  /** The public id of the session that stays, if `ends` keeps one. */
  sessionId?: string | undefined;
};

/** A new password, proved by a mailed link. `recoveryCode` is spent with it, where one is needed. */
export type PasswordReset = { token: Hash; userId: string; hash: string; recoveryCode: Hash | undefined };

/** Sign-in methods besides the password: passkeys, and unused recovery codes. */
export type ResetFacts = { hasPassword: boolean; hasPasskeys: boolean; hasRecoveryCodes: boolean };

/** An undone change of the address. `hadPassword`: before the change. */
export type UndoneChange = { at: number; hadPassword: boolean };

export type PasswordStore = {
  /** Replaces a hash by a stronger one of the same password. Nothing happens if it is no longer `old`. PW-05. */
  strengthenPasswordHash(change: { userId: string; old: string; hash: string }): Promise<void>;
  /**
   * Makes the next sign-in with the password choose a new one. Nothing happens if the hash is no longer `old`. PW-04.
   */
  markPasswordBreached(checked: { userId: string; old: string }): Promise<void>;
  /**
   * Sets a new password and ends what the change ends, in one transaction. False if the hash is no longer `old`. PW-08.
   */
  changePassword(change: PasswordChange, now: number, also: AccountRecord): Promise<boolean>;
  /**
   * Spends a reset link and sets the password, in one transaction: an account that nobody proved is emptied first
   * (RG-05), the address is verified, and every session and grant ends. False if the link is dead or the recovery code
   * used. FP-03.
   */
  resetPassword(reset: PasswordReset, now: number, also: AccountRecord): Promise<boolean>;
  /** `addedBefore`: counts only the passkeys and recovery codes that the account had then. Unix seconds. */
  findResetFacts(userId: string, addedBefore?: number): Promise<ResetFacts>;
  /** The newest undone change of the address, if no password was set since. EA-03. */
  findUndoneChange(userId: string): Promise<UndoneChange | undefined>;
  /** Names of applications, up to 500. They are no secret, so no password may be one. PW-03. */
  listApplicationNames(): Promise<string[]>;
};
