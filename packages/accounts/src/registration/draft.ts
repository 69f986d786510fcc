import { isAllowedDomain, normaliseEmail } from "../addresses/email-address.ts";
import type { AccountDeps } from "../deps.ts";
import type { PasswordProblem } from "../passwords/rules.ts";

/** The longest display name, in characters. RG-09. */
export const MAX_NAME_LENGTH = 80;
/** The same in UTF-16 before accents are composed, which takes the square of the length. */
const MAX_SPELLED_LENGTH = 8 * MAX_NAME_LENGTH;

/** A trimmed name of one line; undefined if it is empty, too long or has control characters. RG-09. */
export function readName(typed: string): string | undefined {
  const spelled = typed.trim();
  if (spelled.length > MAX_SPELLED_LENGTH) return undefined;
  const name = spelled.normalize("NFC");
  return name !== "" && [...name].length <= MAX_NAME_LENGTH && !/[\p{Cc}\p{Cs}\p{Zl}\p{Zp}]/u.test(name)
    ? name
    : undefined;
}

/** Who somebody says they are, to get an account. */
export type TypedOwner = { name: string; email: string };

export type AccountField = keyof TypedOwner | "password";

/** What is wrong with one field. The page has the words. */
export type FieldFault =
  | { field: AccountField; code: "name" | "email" | "domain" | "taken" }
  | { field: "password"; code: "password"; problem: PasswordProblem };

/** Whether somebody without an invitation can have an account with this address. RG-01. */
export function mayRegister(email: string, { accounts }: Pick<AccountDeps, "accounts">): boolean {
  return isAllowedDomain(email, accounts.signUpDomains);
}

/**
 * Whether somebody without an invitation can sign up with this address now. The setting may have changed since a code
 * was mailed. RG-01.
 */
export function maySignUp(email: string, deps: Pick<AccountDeps, "accounts">): boolean {
  return deps.accounts.signUp === "open" && mayRegister(email, deps);
}

/** Checks name and address in the order of the form. The result has the address in its stored form. */
export function readTypedOwner(
  typed: TypedOwner,
  deps: Pick<AccountDeps, "accounts">,
): { owner: TypedOwner } | { fault: FieldFault } {
  const name = readName(typed.name);
  if (name === undefined) return { fault: { field: "name", code: "name" } };
  const email = normaliseEmail(typed.email);
  if (email === undefined) return { fault: { field: "email", code: "email" } };
  return mayRegister(email, deps) ? { owner: { name, email } } : { fault: { field: "email", code: "domain" } };
}

/** The first problem of a password that a user chose. */
export async function passwordFault(
  password: string,
  of: { email: string; name: string },
  { passwordRules }: Pick<AccountDeps, "passwordRules">,
): Promise<FieldFault | undefined> {
  const [problem] = await passwordRules.problemsOf(password, of);
  return problem && { field: "password", code: "password", problem };
}
