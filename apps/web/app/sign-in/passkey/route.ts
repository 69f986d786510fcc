import { type Continuation, recordPasskeyNotGiven, signInWithPasskey } from "@gatehouse/accounts";
import { signInRequest } from "../../../server/pages/account/request.ts";
import { postedCeremony } from "../../../server/pages/passkeys/ceremonies.ts";
import { tooManyAttempts } from "../../../server/pages/responses/errors.tsx";
import { seeOther } from "../../../server/pages/responses/respond.ts";
import { choicesOf, continuationOf } from "../../../server/pages/sign-in/continuation.ts";
import { nextStepResponse } from "../../../server/pages/sign-in/next-step.ts";
import { signInPage } from "../../../server/pages/sign-in/sign-in.tsx";
import { route, type Visit } from "../../../server/routing/route.ts";
import { continuationQuery } from "../../../views/continuation.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route("/sign-in/passkey", {
  GET: ({ url }) => seeOther(`/sign-in${continuationQuery(continuationOf(url.searchParams))}`),
  POST: submit,
});

async function submit(visit: Visit): Promise<Response> {
  const { form, app, texts } = visit;
  const choices = { ...choicesOf(form), keep: form.get("keep") !== "" };
  const { continuation } = choices;
  const posted = postedCeremony(form);
  if (posted.credential === "") return withoutPasskey(continuation, visit);
  const outcome = await signInWithPasskey(posted, choices, signInRequest(visit), app.deps);
  if (outcome.kind === "wait") return tooManyAttempts(outcome.seconds, visit, "/sign-in/passkey");
  if (outcome.kind === "next") return nextStepResponse(outcome.next, visit);
  const { unknownCredentialId } = outcome;
  return signInPage(visit, { continuation, problem: texts.passkeys.refused, unknownCredentialId }, 400);
}

/** The script posts why the browser gave no passkey. Without scripts the form is empty. */
async function withoutPasskey(continuation: Continuation, visit: Visit): Promise<Response> {
  const { form, app, texts } = visit;
  const problem = form.get("problem") ?? "";
  if (problem === "") return signInPage(visit, { continuation, problem: texts.passkeys.empty }, 400);
  await recordPasskeyNotGiven(problem, continuation, signInRequest(visit), app.deps);
  const email = form.get("email") ?? "";
  return signInPage(visit, { continuation, ...(email && { email }), problem: texts.passkeys.cancelled }, 400);
}
