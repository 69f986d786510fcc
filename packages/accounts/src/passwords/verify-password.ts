import type { ThrottleKey } from "@gatehouse/runtime";
import { normaliseEmail } from "../addresses/email-address.ts";
import type { AccountDeps } from "../deps.ts";
import type { Account } from "../store/accounts.ts";

type VerifyDeps = Pick<AccountDeps, "people" | "hasher" | "passwordRules">;

/**
 * The person with this email address and password; undefined if they do not match or the account is disabled. Takes
 * equally long in each case. Replaces an outdated hash, and makes the user replace a password that is known from a
 * breach. Throws a 503 while too many passwords are being checked; `asker` is as for the hasher. SE-07, PW-04, PW-05,
 * PW-06, PW-07.
 */
export async function verifyPassword(
  { email, password, asker }: { email: string; password: string; asker?: ThrottleKey },
  { people, hasher, passwordRules }: VerifyDeps,
): Promise<Account | undefined> {
  const address = normaliseEmail(email);
  const found = address === undefined ? undefined : await people.findAccountByEmail(address);
  const verdict = await hasher.verify(found?.passwordHash, password, asker);
  if (!found || verdict === "wrong" || found.disabledAt !== null) return undefined;
  const { passwordHash, ...account } = found;
  if (passwordHash === null) return account;
  const checked = { userId: account.id, old: passwordHash };
  if (!account.mustChangePassword && (await passwordRules.isBreached(password)))
    await people.markPasswordBreached(checked);
  if (verdict === "outdated") await strengthen({ ...checked, password, asker }, { people, hasher });
  return account;
}

async function strengthen(
  { userId, old, password, asker }: { userId: string; old: string; password: string; asker: ThrottleKey | undefined },
  { people, hasher }: Pick<VerifyDeps, "people" | "hasher">,
) {
  const hash = await hasher.hash(password, asker);
  await people.strengthenPasswordHash({ userId, old, hash });
}
