import type { FieldFault } from "@gatehouse/accounts";
import type { Texts } from "@gatehouse/languages";
import { passwordProblemWords } from "./password-problem.ts";

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
