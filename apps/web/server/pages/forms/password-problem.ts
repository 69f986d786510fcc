import type { ChosenPasswordProblem } from "@gatehouse/accounts";
import type { Texts } from "@gatehouse/languages";

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
