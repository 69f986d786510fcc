import type { Hash } from "@gatehouse/auth";
import { callerKey, subjectKey } from "@gatehouse/runtime";
import { normaliseEmail } from "../addresses/email-address.ts";
import { type Attempts, attemptsUnder, type Limit, type Limiter } from "./attempts.ts";

const MINUTE = 60;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** AB-02, AB-05. */
export const ACCOUNT_LIMITS = {
  signInByAddress: { name: "sign-in by address", failures: 60, windowSeconds: 15 * MINUTE },
  signInByAccount: { name: "sign-in by account", failures: 10, windowSeconds: 15 * MINUTE },
  signInByBrowser: { name: "sign-in by known browser", failures: 10, windowSeconds: 15 * MINUTE },
  // A success ends the row. Otherwise the month does, since names that no account has are counted as well.
  signInInARow: { name: "sign-in by account in a row", failures: 100, windowSeconds: 30 * DAY },
  passkeyByAddress: { name: "passkey by address", failures: 60, windowSeconds: 15 * MINUTE },
  signUpByAddress: { name: "sign-up by address", failures: 30, windowSeconds: HOUR },
  secondFactorHour: { name: "second factor by account in an hour", failures: 10, windowSeconds: HOUR },
  secondFactorDay: { name: "second factor by account in a day", failures: 50, windowSeconds: DAY },
  takenNotice: { name: "notice of a taken email address", failures: 1, windowSeconds: DAY },
  secondStep: { name: "second step by sign-in", failures: 5, windowSeconds: 10 * MINUTE },
  mailedCodeByBrowser: { name: "mailed code by email address and browser", failures: 10, windowSeconds: DAY },
  // Far above what the mails of a day allow, five tries each: it bounds guessing, and nobody can reach it to keep the
  // owner out.
  mailedCode: { name: "mailed code by email address", failures: 200, windowSeconds: DAY },
} as const satisfies Record<string, Limit>;

type From = { address: string | null };

/** What can be guessed or abused, with the limits of each. The database counts for all processes. AB-01. */
export type AccountLimits = {
  /**
   * A password for an account, real or not. `email` as typed. `browserId` is set for a browser that has signed in to
   * this account before: it has its own count, so that other callers cannot block it. AB-03.
   */
  signIn(email: string, browserId: string | undefined, caller: From): Attempts;
  /**
   * After 100 failures in a row, a browser that the account does not know enters a mailed code before a password is
   * checked. AB-03.
   */
  needsBrowserCode(email: string): Promise<boolean>;
  /** A passkey. It names its account itself, so nobody can use up the limits of others. AB-03. */
  passkey(caller: From): Attempts;
  /** Creating an account. Successes should stay counted: they are what an abuser wants. */
  signUp(caller: From): Attempts;
  /**
   * Telling the owner of an account that somebody tried to sign up with its address. A free address is counted too,
   * apart from taken ones, so that both write a row. RG-03.
   */
  takenNotice(email: string, isTaken: boolean): Attempts;
  /** A second step of this pending sign-in, or in this session. The sign-in ends once it has to wait. MF-02. */
  secondStep(id: string): Attempts;
  /** A TOTP or recovery code of one account. */
  secondFactor(userId: string): Attempts;
  /** A code that was mailed to an address, in the browser that asked for it: others cannot use up its tries. AB-03. */
  mailedCodeInBrowser(email: string, browser: Hash | null): Attempts;
  /** The same, from everywhere. Count it only for a code that is compared. */
  mailedCode(email: string): Attempts;
};

/**
 * `limiterOf` makes the counter of a limit; it is called once for each. Codes need `mailWorks`, which is read at each
 * use.
 */
export function createAccountLimits(
  limiterOf: (limit: Limit) => Limiter,
  mail: { readonly mailWorks: boolean },
): AccountLimits {
  const limit = (name: keyof typeof ACCOUNT_LIMITS) => limiterOf(ACCOUNT_LIMITS[name]);
  const [byAddress, byAccount, byBrowser] = [
    limit("signInByAddress"),
    limit("signInByAccount"),
    limit("signInByBrowser"),
  ];
  const inARow = limit("signInInARow");
  const [passkeys, signUps] = [limit("passkeyByAddress"), limit("signUpByAddress")];
  const [mailedCodes, mailedCodesByBrowser] = [limit("mailedCode"), limit("mailedCodeByBrowser")];
  const [secondSteps, takenNotices] = [limit("secondStep"), limit("takenNotice")];
  const [secondFactorHour, secondFactorDay] = [limit("secondFactorHour"), limit("secondFactorDay")];

  return {
    signIn(email, browserId, caller) {
      const account = subjectKey("account", accountOf(email));
      const row = [inARow, account] as const;
      if (browserId !== undefined) return attemptsUnder([[byBrowser, subjectKey("browser", browserId)]], [row]);
      // The account's counts come last: a blocked address adds nothing to them, and only passwords that are checked are
      // failures in a row.
      const ofStrangers = [[byAddress, callerKey(caller)] as const, [byAccount, account] as const];
      return attemptsUnder(mail.mailWorks ? [...ofStrangers, row] : ofStrangers, [row]);
    },
    async needsBrowserCode(email) {
      const address = mail.mailWorks ? normaliseEmail(email) : undefined; // nobody can get a code without an address
      return address !== undefined && (await inARow.check(subjectKey("account", address))) > 0;
    },
    passkey: (caller) => attemptsUnder([[passkeys, callerKey(caller)]]),
    takenNotice: (email, isTaken) =>
      attemptsUnder([[takenNotices, subjectKey("account", `${isTaken ? "" : "free "}${accountOf(email)}`)]]),
    signUp: (caller) => attemptsUnder([[signUps, callerKey(caller)]]),
    secondStep: (id) => attemptsUnder([[secondSteps, subjectKey("sign-in", id)]]),
    secondFactor(userId) {
      const account = subjectKey("account", userId);
      return attemptsUnder([
        [secondFactorHour, account],
        [secondFactorDay, account],
      ]);
    },
    mailedCodeInBrowser: (email, browser) =>
      attemptsUnder([[mailedCodesByBrowser, subjectKey("browser", `${browser} ${accountOf(email)}`)]]),
    mailedCode: (email) => attemptsUnder([[mailedCodes, subjectKey("account", accountOf(email))]]),
  };
}

/** Invalid addresses are counted as typed. */
const accountOf = (email: string) => normaliseEmail(email) ?? email;
