import type { ThrottleKey } from "@gatehouse/runtime";
import { normaliseEmail } from "../addresses/email-address.ts";
import type { AccountDeps } from "../deps.ts";
import type { Account } from "../store/accounts.ts";

type TypedPassword = { email: string; password: string; asker?: ThrottleKey };
type VerifyDeps = Pick<AccountDeps, "people" | "hasher" | "passwordRules">;

/** Whose password it is; or why it is nobody's, and whose account was tried: for the sign-in log alone. */
export type PasswordJudgement =
  | { account: Account }
  | { cause: "unknown_address" | "wrong_password" | "no_password" | "account_disabled"; userId: string | null };

/**
 * The person with this email address and password; undefined if they do not match or the account is disabled. As
 * {@link judgePassword}.
 */
export async function verifyPassword(typed: TypedPassword, deps: VerifyDeps): Promise<Account | undefined> {
  const judgement = await judgePassword(typed, deps);
  return "account" in judgement ? judgement.account : undefined;
}

/**
 * Judges an email address and a password, and takes equally long in each case. Replaces an outdated hash, and makes the
 * user replace a password that is known from a breach. Throws a 503 while too many passwords are being checked; `asker`
 * is as for the hasher. SE-07, PW-04, PW-05, PW-06, PW-07.
 */
export async function judgePassword(
  { email, password, asker }: TypedPassword,
  { people, hasher, passwordRules }: VerifyDeps,
): Promise<PasswordJudgement> {
  const address = normaliseEmail(email);
  const found = address === undefined ? undefined : await people.findAccountByEmail(address);
  const verdict = await hasher.verify(found?.passwordHash, password, asker);
  if (!found) return { cause: "unknown_address", userId: null };
  const { passwordHash, ...account } = found;
  if (verdict === "wrong")
    return { cause: passwordHash === null ? "no_password" : "wrong_password", userId: account.id };
  if (account.disabledAt !== null) return { cause: "account_disabled", userId: account.id };
  if (passwordHash === null) return { account };
  const checked = { userId: account.id, old: passwordHash };
  if (!account.mustChangePassword && (await passwordRules.isBreached(password)))
    await people.markPasswordBreached(checked);
  if (verdict === "outdated") await strengthen({ ...checked, password, asker }, { people, hasher });
  return { account };
}

async function strengthen(
  { userId, old, password, asker }: { userId: string; old: string; password: string; asker: ThrottleKey | undefined },
  { people, hasher }: Pick<VerifyDeps, "people" | "hasher">,
) {
  const hash = await hasher.hash(password, asker);
  await people.strengthenPasswordHash({ userId, old, hash });
}
