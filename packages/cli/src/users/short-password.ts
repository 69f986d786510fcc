import type { OperationDeps } from "@gatehouse/console/deps";
import { shortPasswordNotice } from "@gatehouse/console/users/password";
import { report } from "../output.ts";

/** Tells the operator about a password that its user could not choose. PW-01. */
export function tellOfShortPassword(
  user: { email: string; password: string },
  deps: Pick<OperationDeps, "passwordRules">,
): void {
  const notice = shortPasswordNotice(user, deps);
  if (notice !== undefined) report(notice);
}
