import { constantTimeEqual, type Hash, plainCode } from "@gatehouse/auth";
import type { AccountLimits } from "../limits/account-limits.ts";
import type { MailedToken, MailedTokenPurpose, MailedTokenStore } from "../store/mailed-tokens.ts";
import { hashOfCode } from "./mint.ts";
import { isMailedTokenLive, OF_ONE_BROWSER } from "./open.ts";

export type TypedCode = {
  purpose: MailedTokenPurpose;
  email: string;
  /** As typed: keyboard, spaces and dashes do not matter. */
  code: string;
  /** The hash of this browser's cookie. */
  browser: Hash | null;
  /** Only a mail for this account counts. Several accounts can ask for a change to the same address. */
  userId?: string;
};

/** `wait`: seconds until the address may try codes again. */
export type CodeCheck = { kind: "right"; token: MailedToken } | { kind: "wrong" } | { kind: "wait"; seconds: number };

type CheckDeps = {
  people: Pick<MailedTokenStore, "findNewestMailedToken" | "countCodeTry">;
  limits: Pick<AccountLimits, "mailedCode" | "mailedCodeInBrowser">;
  now: () => number;
};

/**
 * Checks a typed code against the newest mail of its purpose. Each try of the asking browser is counted before the
 * comparison: five for a code, ten a day for the browser, so a new code does not bring new tries, and two hundred a day
 * for the address. A try that is not compared does not count for the address, or one stranger's mail could use up the
 * tries of its owner. A right code is not spent: that is the write that uses it. ML-02, ML-03, AB-02.
 */
export async function checkMailedCode(
  { purpose, email, code, browser, userId }: TypedCode,
  deps: CheckDeps,
): Promise<CodeCheck> {
  const now = deps.now();
  const ofBrowser = OF_ONE_BROWSER.has(purpose) && browser !== null ? { browser } : {};
  const token = await deps.people.findNewestMailedToken({ purpose, email, userId, now, ...ofBrowser });
  if (!token?.codeHash || !isMailedTokenLive(token, now)) return { kind: "wrong" };
  // Before the count, so that strangers cannot use up the tries of an address.
  if (token.browser !== null && (browser === null || !constantTimeEqual(token.browser, browser)))
    return { kind: "wrong" };

  const [inBrowser, fromEverywhere] = [deps.limits.mailedCodeInBrowser(email, browser), deps.limits.mailedCode(email)];
  const browserSeconds = await inBrowser.begin();
  if (browserSeconds > 0) return { kind: "wait", seconds: browserSeconds };
  if (!(await deps.people.countCodeTry(token.hash, now))) return { kind: "wrong" };
  const seconds = await fromEverywhere.begin();
  if (seconds > 0) return { kind: "wait", seconds };
  if (!constantTimeEqual(token.codeHash, hashOfCode(token.hash, plainCode(code)))) return { kind: "wrong" };
  await Promise.all([inBrowser.succeeded(), fromEverywhere.succeeded()]);
  return { kind: "right", token };
}
