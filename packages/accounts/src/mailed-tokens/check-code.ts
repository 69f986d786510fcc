import { constantTimeEqual, type Hash } from "@gatehouse/auth";
import type { MailedToken, MailedTokenPurpose, MailedTokenStore } from "../store/mailed-tokens.ts";
import { hashOfCode } from "./mint.ts";
import { isMailedTokenLive } from "./open.ts";

export type TypedCode = {
  purpose: MailedTokenPurpose;
  email: string;
  /** As typed: spaces and dashes are ignored. */
  code: string;
  /** The hash of this browser's cookie. */
  browser: Hash | null;
  /** Only a mail for this account counts. Several accounts can ask for a change to the same address. */
  userId?: string;
};

/** `wait`: seconds until the address may try codes again. */
export type CodeCheck = { kind: "right"; token: MailedToken } | { kind: "wrong" } | { kind: "wait"; seconds: number };

/** Counts tries at mailed codes by address, over all codes and processes. AB-02. */
export type CodeAttempts = { begin(): Promise<number>; succeeded(): Promise<void> };

type CheckDeps = {
  people: Pick<MailedTokenStore, "findNewestMailedToken" | "countCodeTry">;
  limits: { mailedCode(email: string): CodeAttempts };
  now: () => number;
};

/**
 * Checks a typed code against the newest mail of its purpose. Each try of the asking browser is counted before the comparison: five for a code, ten a day for an
 * address, so a new code does not bring new tries. A right code is not spent: that is the write that uses it. ML-02, ML-03.
 */
export async function checkMailedCode({ purpose, email, code, browser, userId }: TypedCode, deps: CheckDeps): Promise<CodeCheck> {
  const now = deps.now();
  const ofBrowser = purpose === "new_browser" && browser !== null ? { browser } : {};
  const token = await deps.people.findNewestMailedToken({ purpose, email, userId, now, ...ofBrowser });
  if (!token?.codeHash || !isMailedTokenLive(token, now)) return { kind: "wrong" };
  // Before the count, so that strangers cannot use up the tries of an address.
  if (token.browser !== null && (browser === null || !constantTimeEqual(token.browser, browser))) return { kind: "wrong" };

  const attempts = deps.limits.mailedCode(email);
  const seconds = await attempts.begin();
  if (seconds > 0) return { kind: "wait", seconds };
  if (!(await deps.people.countCodeTry(token.hash, now))) return { kind: "wrong" };
  if (!constantTimeEqual(token.codeHash, hashOfCode(token.hash, code.replaceAll(/[\s-]/g, "")))) return { kind: "wrong" };
  await attempts.succeeded();
  return { kind: "right", token };
}
