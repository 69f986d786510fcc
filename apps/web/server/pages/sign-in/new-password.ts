import type { Account, Continuation } from "@gatehouse/accounts";
import { NewPasswordPage } from "../../../views/sign-in/new-password.tsx";
import type { Visit } from "../../routing/visit.ts";
import { browserForm } from "../forms/csrf.ts";
import { page } from "../responses/respond.ts";

/** The page that asks for the new password. There is no session yet. `ticket`: of the sign-in. PW-04, UM-03. */
export function newPasswordPage(
  { email }: Account,
  { ticket, continuation }: { ticket: string; continuation: Continuation },
  visit: Visit,
  problem?: string,
): Response {
  const { csrf, cookies } = browserForm(visit);
  const { leastCharacters } = visit.app.deps.passwordRules;
  const fields = { ...continuation, ticket };
  const content = NewPasswordPage({ frame: visit.frame, csrf, fields, email, leastCharacters, problem });
  return page(content, { status: problem === undefined ? 200 : 400, cookies });
}
