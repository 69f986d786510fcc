import type { Hash } from "@gatehouse/auth";
import { subjectKey } from "@gatehouse/runtime";
import type { AccountDeps } from "../deps.ts";
import { accountEvent, type EventSource } from "../events/account-event.ts";
import { mailedTokenData } from "../mailed-tokens/mint.ts";
import { openMailedLink } from "../mailed-tokens/open.ts";
import type { PasswordProblem } from "../passwords/rules.ts";
import { recoveryCodeHash } from "../second-factors/recovery-codes.ts";
import type { Continuation } from "../sign-in/continuation.ts";
import { type Account, hasVerifiedOwner } from "../store/accounts.ts";
import { needsRecoveryCode, type SealedReset } from "./request-reset.ts";

type ResetDeps = Pick<
  AccountDeps,
  "people" | "hasher" | "passwordRules" | "limits" | "mail" | "now" | "random" | "seal"
>;

/** A live link, and what its page asks for. */
export type OpenReset = {
  token: Hash;
  account: Account;
  needsRecoveryCode: boolean;
  /** Only in the browser that asked. FP-05. */
  continuation: Continuation | undefined;
  /** Another browser waits for the sign-in. */
  continuesElsewhere: boolean;
};

/** What a reset link allows; undefined if it is unknown, used, replaced or expired. Changes nothing. FP-02, FP-05. */
export async function openReset(
  { secret, browser }: { secret: string | undefined; browser: Hash | null },
  deps: Pick<AccountDeps, "people" | "now" | "seal">,
): Promise<OpenReset | undefined> {
  const token = await openMailedLink(secret, "reset", deps);
  const account = token?.userId ? await deps.people.findAccount(token.userId) : undefined;
  if (!token || !account) return undefined;
  const askedHere = token.browser !== null && token.browser === browser;
  const { byMailAlone, ...continuation } = mailedTokenData(token, deps) as SealedReset;
  return {
    token: token.hash,
    account,
    needsRecoveryCode: needsRecoveryCode(await deps.people.findResetFacts(account.id), { byMailAlone }),
    continuation: askedHere ? continuation : undefined,
    continuesElsewhere: !askedHere && continuation.request !== undefined,
  };
}

export type ResetOutcome =
  | { kind: "done" }
  | { kind: "refused"; problem: PasswordProblem }
  | { kind: "wrong_code" }
  | { kind: "wait"; seconds: number }
  /** The link was used or replaced meanwhile. */
  | { kind: "dead" };

/**
 * Sets a new password by a mailed link. A refused password or a wrong recovery code leaves the link usable. A second
 * factor stays, and nobody is signed in. FP-02…04.
 */
export async function resetPassword(
  open: OpenReset,
  {
    password,
    recoveryCode,
    source,
    locale,
  }: { password: string; recoveryCode: string; source: EventSource; locale: string },
  deps: ResetDeps,
): Promise<ResetOutcome> {
  const { account, token } = open;
  const userId = account.id;
  const [problem] = await deps.passwordRules.problemsOf(password, account);
  if (problem) return { kind: "refused", problem };

  const attempts = deps.limits.secondFactor(userId);
  const seconds = open.needsRecoveryCode ? await attempts.begin() : 0;
  if (seconds > 0) return { kind: "wait", seconds };
  const code = open.needsRecoveryCode ? recoveryCodeHash(recoveryCode) : undefined;
  if (open.needsRecoveryCode && code === undefined) return { kind: "wrong_code" };

  const hash = await deps.hasher.hash(password, subjectKey("account", userId));
  // The link proved the address.
  const notice = {
    to: account.email,
    trusted: true,
    userId,
    locale: account.locale ?? locale,
    data: { at: deps.now(), ...source },
  };
  const done = await deps.people.resetPassword({ token, userId, hash, recoveryCode: code }, deps.now(), {
    mails: [deps.mail.compose("password_reset", notice)],
    events: [
      ...(hasVerifiedOwner(account) ? [] : [accountEvent("account_claimed", { userId, source }, deps)]),
      accountEvent("password_reset", { userId, source }, deps),
    ],
  });
  if (!done) return open.needsRecoveryCode ? { kind: "wrong_code" } : { kind: "dead" };
  if (open.needsRecoveryCode) await attempts.succeeded();
  return { kind: "done" };
}
