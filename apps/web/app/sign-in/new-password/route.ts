import { replacePasswordInSignIn } from "@gatehouse/accounts";
import { signInRequest } from "../../../server/pages/account/request.ts";
import { passwordProblemWords } from "../../../server/pages/forms/problems.ts";
import { seeOther } from "../../../server/pages/responses/respond.ts";
import { continuationOf } from "../../../server/pages/sign-in/continuation.ts";
import { newPasswordPage } from "../../../server/pages/sign-in/new-password.ts";
import { nextStepResponse } from "../../../server/pages/sign-in/next-step.ts";
import { signInPage } from "../../../server/pages/sign-in/sign-in.tsx";
import { route, type Visit } from "../../../server/routing/route.ts";
import { continuationQuery } from "../../../views/continuation.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route("/sign-in/new-password", {
  GET: ({ url }) => seeOther(`/sign-in${continuationQuery(continuationOf(url.searchParams))}`),
  POST: submit,
});

/** Sets the password and starts the session of the sign-in. PW-04, UM-03. */
async function submit(visit: Visit): Promise<Response> {
  const { form, app, texts } = visit;
  const typed = { ticket: form.get("ticket") ?? "", password: form.get("password") ?? "" };
  const outcome = await replacePasswordInSignIn(typed, signInRequest(visit), app.deps);
  if (outcome.kind === "next") return nextStepResponse(outcome.next, visit);
  if (outcome.kind === "refused") {
    const fields = { ticket: typed.ticket, continuation: outcome.change.continuation };
    return newPasswordPage(outcome.account, fields, visit, passwordProblemWords(outcome.problem, texts));
  }
  const continuation = outcome.of?.change.continuation ?? continuationOf(form);
  return signInPage(
    visit,
    { continuation, email: outcome.of?.account.email, problem: texts.password.mustChangeLate },
    400,
  );
}
