import {
  operatorPasswordProblems,
  type PasswordProblem,
  passwordLength,
  passwordProblemText,
} from "@gatehouse/accounts";
import type { OperationDeps } from "../deps.ts";
import { invalid, type Problem } from "../domain-error.ts";

/** Every problem with a password that an operator sets; empty if it is accepted. PW-01. */
export function operatorPasswordErrors(password: string, email: string): Problem[] {
  return operatorPasswordProblems(password, { email }).map(asProblem);
}

/** Throws `invalid` for a password that an operator cannot set. */
export function requireOperatorPassword(password: string, email: string): void {
  const problems = operatorPasswordErrors(password, email);
  if (problems.length > 0) throw invalid(problems);
}

/**
 * What to tell an operator who set a password that its user could not choose; undefined for one that is long enough.
 * Does not contain the password. PW-01.
 */
export function shortPasswordNotice(
  { email, password }: { email: string; password: string },
  { passwordRules: { leastCharacters } }: Pick<OperationDeps, "passwordRules">,
): string | undefined {
  const length = passwordLength(password);
  if (length >= leastCharacters) return undefined;
  return `the password of ${email} has ${length} characters. Users need ${leastCharacters}: ask for a new one, or set a longer one`;
}

const asProblem = (problem: PasswordProblem): Problem => ({ path: "password", message: passwordProblemText(problem) });
