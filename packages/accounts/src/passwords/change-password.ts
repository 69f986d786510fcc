import { subjectKey } from "@gatehouse/runtime";
import type { AccountDeps } from "../deps.ts";
import { accountEvent, type EventSource } from "../events/account-event.ts";
import { WHAT_ENDS } from "../events/what-ends.ts";
import { recipientOf } from "../mails/composer.ts";
import type { Account, AccountWithHash } from "../store/accounts.ts";
import type { PasswordProblem } from "./rules.ts";

type ChangeDeps = Pick<AccountDeps, "people" | "hasher" | "passwordRules" | "mail" | "now" | "random">;

export type NewPassword = {
  userId: string;
  /** Of the session or new-password ticket that acts. A reset since then ended it, and its password stays. WE-03. */
  signInEpoch: number;
  password: string;
  source: EventSource;
  /** The page's language, for an account without a saved one. */
  locale: string;
};

/** `same`: it is the password that should be replaced. */
export type ChosenPasswordProblem = PasswordProblem | { code: "same" };

/**
 * Why a password was not set; `stale`: the account has changed since the request began, so that it may no longer be
 * allowed to.
 */
export type ChangeOutcome =
  | { kind: "changed" }
  | { kind: "refused"; problem: ChosenPasswordProblem }
  | { kind: "stale" };

/**
 * Sets a new password for a signed-in user. The session stays, all others end; with `apps` every app is disconnected
 * too. Check the current password first. PW-08, WE-01.
 */
export function changePassword(
  change: NewPassword & { sessionId: string; apps: boolean },
  deps: ChangeDeps,
): Promise<ChangeOutcome> {
  const ends = change.apps ? WHAT_ENDS.password_changed_and_apps : WHAT_ENDS.password_changed;
  return replacePassword({ ...change, ends }, deps);
}

/**
 * Sets a new password between the sign-in with the old one and its session, because the old one may not be used any
 * longer. PW-04, UM-03.
 */
export function replaceRequiredPassword(change: NewPassword, deps: ChangeDeps): Promise<ChangeOutcome> {
  return replacePassword({ ...change, ends: { ...WHAT_ENDS.password_changed, sessions: "all" } }, deps);
}

async function replacePassword(
  {
    userId,
    signInEpoch,
    sessionId,
    password,
    source,
    locale,
    ends,
  }: NewPassword & { sessionId?: string; ends: Parameters<AccountDeps["people"]["changePassword"]>[0]["ends"] },
  deps: ChangeDeps,
): Promise<ChangeOutcome> {
  const account = await accountWithHash(userId, deps);
  if (account?.signInEpoch !== signInEpoch) return { kind: "stale" };
  const [problem] = await problemsWith(password, account, deps);
  if (problem) return { kind: "refused", problem };

  const hash = await deps.hasher.hash(password, subjectKey("account", userId));
  const notice = { at: deps.now(), ...source };
  const changed = await deps.people.changePassword(
    { userId, signInEpoch, sessionId, old: account.passwordHash, hash, ends },
    deps.now(),
    {
      mails: [
        deps.mail.compose("password_changed", {
          ...recipientOf(account),
          userId,
          locale: account.locale ?? locale,
          data: notice,
        }),
      ],
      events: [accountEvent("password_changed", { userId, source }, deps)],
    },
  );
  return { kind: changed ? "changed" : "stale" };
}

async function problemsWith(
  password: string,
  account: AccountWithHash,
  deps: ChangeDeps,
): Promise<ChosenPasswordProblem[]> {
  const problems = await deps.passwordRules.problemsOf(password, account);
  if (problems.length > 0 || account.passwordHash === null) return problems;
  return (await deps.hasher.verify(account.passwordHash, password, subjectKey("account", account.id))) === "wrong"
    ? []
    : [{ code: "same" }];
}

async function accountWithHash(
  userId: string,
  { people }: Pick<AccountDeps, "people">,
): Promise<AccountWithHash | undefined> {
  const account: Account | undefined = await people.findAccount(userId);
  return account && people.findAccountByEmail(account.email);
}
