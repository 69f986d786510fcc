import type { ChosenPasswordProblem, FieldFault, WayInRefused } from "@gatehouse/accounts";
import type { Texts } from "@gatehouse/languages";

/** The words for why a new account is refused; a passkey is no field. */
export function refusalWords(refused: WayInRefused, texts: Texts): { field?: FieldFault["field"]; problem: string } {
  if (refused.kind === "refused") return faultWords(refused.fault, texts);
  return { problem: refused.why === "taken" ? texts.passkeys.addRegistered : texts.passkeys.addFailed };
}

/** The words for what is wrong with one field of a new account. */
export function faultWords(fault: FieldFault, texts: Texts): { field: FieldFault["field"]; problem: string } {
  return { field: fault.field, problem: wordsOf(fault, texts) };
}

function wordsOf(fault: FieldFault, texts: Texts): string {
  const { signUp: words } = texts;
  switch (fault.code) {
    case "name":
      return words.nameInvalid;
    case "email":
      return words.emailInvalid;
    case "domain":
      return words.emailDomain;
    case "taken":
      return words.emailRefused;
    case "password":
      return passwordProblemWords(fault.problem, texts);
  }
}

/** Why a password was refused, and what to do instead. */
export function passwordProblemWords(problem: ChosenPasswordProblem, { password: { problems } }: Texts): string {
  switch (problem.code) {
    case "too_short":
      return problems.too_short(problem.least);
    case "too_long":
      return problems.too_long(problem.most);
    default:
      return problems[problem.code];
  }
}
