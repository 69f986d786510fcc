import { restoreInSignIn } from "@gatehouse/accounts";
import { signInRequest } from "../../../server/pages/account/request.ts";
import { continuationOf } from "../../../server/pages/sign-in/continuation.ts";
import { nextStepResponse } from "../../../server/pages/sign-in/next-step.ts";
import { signInPage } from "../../../server/pages/sign-in/sign-in.tsx";
import { route, type Visit } from "../../../server/routing/route.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route("/sign-in/restore", { POST: restore });

/** Restores the account and continues the sign-in in the ticket. RG-10. */
async function restore(visit: Visit): Promise<Response> {
  const { form, app, texts } = visit;
  const continuation = continuationOf(form);
  const outcome = await restoreInSignIn(form.get("ticket") ?? "", continuation, signInRequest(visit), app.deps);
  if (outcome.kind === "next") return nextStepResponse(outcome.next, visit);
  if (outcome.kind === "dead") return signInPage(visit, { continuation, problem: texts.deletion.restoreDead }, 400);
  return signInPage(visit, { continuation, email: outcome.account.email, note: texts.deletion.restored });
}
