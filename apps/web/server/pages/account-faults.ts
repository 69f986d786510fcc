import { type FieldFault, passwordProblemText } from "@gatehouse/accounts";
import type { Texts } from "@gatehouse/languages";

/** The words for what is wrong with one field of a new account. */
export function faultWords(fault: FieldFault, { signUp }: Texts): { field: FieldFault["field"]; problem: string } {
  return { field: fault.field, problem: wordsOf(fault, signUp) };
}

function wordsOf(fault: FieldFault, words: Texts["signUp"]): string {
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
      return words.passwordRefused(passwordProblemText(fault.problem));
  }
}
