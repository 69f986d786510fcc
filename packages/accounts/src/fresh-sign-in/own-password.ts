import { ACR, type ActiveSession } from "@gatehouse/auth";
import { subjectKey } from "@gatehouse/runtime";
import type { AccountDeps } from "../deps.ts";
import { withdrawIfBusy } from "../limits/attempts.ts";
import { verifyPassword } from "../passwords/verify-password.ts";
import { browserIdOfSession } from "../sign-in/known-browser.ts";
import type { SignInRequest } from "../sign-in/sign-in.ts";
import type { Account } from "../store/accounts.ts";

/**
 * Checks the password of a signed-in user. `wait`: seconds until another try. Throws as {@link verifyPassword} does.
 * AB-02, AB-03.
 */
export async function checkOwnPassword(
  active: ActiveSession,
  password: string,
  { browser, caller }: SignInRequest,
  deps: AccountDeps,
): Promise<{ kind: "right"; account: Account } | { kind: "wrong" } | { kind: "wait"; seconds: number }> {
  const { email, id } = active.user;
  const attempts = deps.limits.signIn(email, await browserIdOfSession(active, browser, deps), caller);
  const seconds = await attempts.begin();
  if (seconds > 0) return { kind: "wait", seconds };
  const account = await withdrawIfBusy(
    attempts,
    verifyPassword({ email, password, asker: subjectKey("account", id) }, deps),
  );
  if (account?.id !== id) return { kind: "wrong" }; // the address can have a new owner meanwhile
  await attempts.succeeded();
  return { kind: "right", account };
}

/**
 * Does a change of the password take the current one? Not if there is none, or the user has just used a passkey, which
 * proves more. PW-08.
 */
export async function asksCurrentPassword(
  { session, user }: ActiveSession,
  { people }: Pick<AccountDeps, "people">,
): Promise<boolean> {
  return session.acr !== ACR.phr && (await people.findResetFacts(user.id)).hasPassword;
}
