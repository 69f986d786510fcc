import { localPartOf } from "../addresses/email-address.ts";
import { isCommonPassword } from "./blocklist.ts";
import type { BreachCheck } from "./breaches/breach-check.ts";
import { MOST_PASSWORD_CHARACTERS, passwordLength } from "./characters.ts";
import { foldPassword, isMadeOf, isRepetition, isRun } from "./patterns.ts";

/** Chosen passwords have at least this many code points. NIST SP 800-63B-4 §3.1.1.2. */
export const LEAST_PASSWORD_CHARACTERS = 15;
/** Passwords that an operator sets may be this short; the operator is told. PW-01. */
const LEAST_OPERATOR_CHARACTERS = 10;

/** Why a password is not accepted. Pages and operators each have words for it. */
export type PasswordProblem =
  | { code: "too_short"; least: number }
  | { code: "too_long"; most: number }
  /** The email address, the name, or the name of the product or an app. */
  | { code: "personal" }
  | { code: "common" }
  /** Known from a breach. PW-04. */
  | { code: "breached" }
  | { code: "repetition" }
  | { code: "run" };

/** Whose password it is. `email` as `normaliseEmail` returns it. */
export type PasswordOwner = { email: string; name?: string | undefined };

/** The rules for passwords that users choose. PW-01…04. */
export type PasswordRules = {
  /** In code points. */
  leastCharacters: number;
  /** Every problem with a new password; empty if it is accepted. */
  problemsOf(password: string, owner: PasswordOwner): Promise<PasswordProblem[]>;
  isBreached: BreachCheck;
};

export type PasswordRulesOptions = {
  leastCharacters?: number;
  /** Words that are no secret here: the names of the product, of its host and of its apps. */
  names: () => Promise<readonly string[]>;
  /** By default no password is. */
  isBreached?: BreachCheck;
};

export function createPasswordRules({
  leastCharacters = LEAST_PASSWORD_CHARACTERS,
  names,
  isBreached = async () => false,
}: PasswordRulesOptions): PasswordRules {
  return {
    leastCharacters,
    isBreached,
    async problemsOf(password, owner) {
      const wrongLength = lengthProblem(password, leastCharacters);
      if (wrongLength) return [wrongLength];
      const guessable = guessableProblem(password, [...wordsOf(owner), ...(await names())]);
      if (guessable) return [guessable];
      return (await isBreached(password)) ? [{ code: "breached" }] : [];
    },
  };
}

/**
 * Problems with a password that an operator sets: in the environment, a file of `gatehouse apply`, or on the command
 * line. PW-01.
 */
export function operatorPasswordProblems(password: string, { email }: PasswordOwner): PasswordProblem[] {
  const wrongLength = lengthProblem(password, LEAST_OPERATOR_CHARACTERS);
  if (wrongLength) return [wrongLength];
  return foldPassword(password) === email ? [{ code: "personal" }] : [];
}

/** A problem in words for operators, without a subject: "use at least 15 characters". */
export function passwordProblemText(problem: PasswordProblem): string {
  switch (problem.code) {
    case "too_short":
      return `use at least ${problem.least} characters`;
    case "too_long":
      return `use at most ${problem.most} characters`;
    case "personal":
      return "choose something other than the email address, the name or the name of an app";
    case "common":
      return "choose something that is not on lists of common passwords, for example a few random words";
    case "breached":
      return "choose something that is not known from a data breach, for example a few random words";
    case "repetition":
      return "choose something other than one short text repeated";
    case "run":
      return "choose something other than a run of neighbouring letters, digits or keys";
  }
}

function lengthProblem(password: string, least: number): PasswordProblem | undefined {
  const length = passwordLength(password);
  if (length < least) return { code: "too_short", least };
  return length > MOST_PASSWORD_CHARACTERS ? { code: "too_long", most: MOST_PASSWORD_CHARACTERS } : undefined;
}

function guessableProblem(password: string, words: readonly string[]): PasswordProblem | undefined {
  const folded = foldPassword(password);
  if (words.some((word) => isMadeOf(folded, word))) return { code: "personal" };
  if (isRepetition(folded)) return { code: "repetition" };
  if (isRun(folded)) return { code: "run" };
  return isCommonPassword(folded) ? { code: "common" } : undefined;
}

/** The address, its local part and the name, with and without spaces. */
function wordsOf({ email, name = "" }: PasswordOwner): string[] {
  return [email, localPartOf(email), ...namesAsWords([name])];
}

/** Names as {@link PasswordRulesOptions.names} wants them: folded, with and without spaces. */
export function namesAsWords(names: readonly string[]): string[] {
  return names.flatMap((name) => {
    const folded = foldPassword(name.trim());
    return folded === "" ? [] : [folded, folded.replaceAll(/\s+/g, "")];
  });
}
