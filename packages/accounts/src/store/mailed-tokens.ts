import type { Hash } from "@gatehouse/auth";
import type { AccountRecord } from "./account-record.ts";

/** What a mailed link or code is for. A token of one purpose is worth nothing for another. */
export const MAILED_TOKEN_PURPOSES = [
  "sign_up",
  "verify",
  "reset",
  "email_change",
  "email_undo",
  "sign_in",
  "invitation_proof",
  "new_browser",
] as const;
export type MailedTokenPurpose = (typeof MAILED_TOKEN_PURPOSES)[number];

/** A link, a code or both, mailed to one address. Times are Unix seconds. */
export type NewMailedToken = {
  /** SHA-256 of the link's token. */
  hash: Hash;
  purpose: MailedTokenPurpose;
  /** Null where no account may have this address. */
  userId: string | null;
  /** The address that it was mailed to. */
  email: string;
  /** SHA-256 of `<hash>:<code>`; null without a code. */
  codeHash: Hash | null;
  /** The hash of the asking browser's cookie, if the code works in that browser alone. */
  browser: Hash | null;
  /** Sealed; opened by `mailedTokenData`. */
  data: string | null;
  /** The user's `signInEpoch` when it was made; a higher one ends it. Null: it survives that. */
  signInEpoch: number | null;
  createdAt: number;
  expiresAt: number;
};

export type MailedToken = NewMailedToken & {
  /** Wrong codes so far. */
  tries: number;
  spentAt: number | null;
  /** Of the account now. */
  user: { email: string; disabledAt: number | null; deleteAfter: number | null; signInEpoch: number } | null;
};

/** With `browser` or `userId` only a token of that browser or account. */
export type SoughtToken = {
  purpose: MailedTokenPurpose;
  email: string;
  browser?: Hash;
  userId?: string | undefined;
  now: number;
};

export type MailedTokenStore = {
  /**
   * Saves a token, and voids the earlier ones of its purpose and address, in one transaction with `also`. Those of
   * `OF_ONE_BROWSER` are voided only by that browser, so that strangers cannot void them.
   */
  saveMailedToken(token: NewMailedToken, also?: AccountRecord): Promise<void>;
  findMailedToken(hash: Hash): Promise<MailedToken | undefined>;
  /** The newest token that fits, if it has not expired. */
  findNewestMailedToken(sought: SoughtToken): Promise<MailedToken | undefined>;
  /** Counts a try at the code. False if the token is dead or had its five tries: the code must not be compared then. */
  countCodeTry(hash: Hash, now: number): Promise<boolean>;
  /** Spends a token, once, in one transaction with `also`. False, and nothing happens, if it has ended. */
  spendMailedToken(hash: Hash, now: number, also?: AccountRecord): Promise<boolean>;
};
