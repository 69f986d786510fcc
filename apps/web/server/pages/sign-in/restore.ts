import type { NextStep } from "@gatehouse/accounts";
import { RestorePage } from "../../../views/sign-in/restore.tsx";
import type { Visit } from "../../routing/visit.ts";
import { browserForm } from "../forms/csrf.ts";
import { page } from "../responses/respond.ts";

/** The offer to restore an account that is to be deleted. Restoring it continues the sign-in. RG-10. */
export function restorePage(
  { ticket, deleteAfter, continuation }: Extract<NextStep, { kind: "restore" }>,
  visit: Visit,
): Response {
  const { csrf } = browserForm(visit);
  return page(RestorePage({ frame: visit.frame, csrf, ticket, deleteAfter, ...continuation }));
}
