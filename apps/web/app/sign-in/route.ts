import { signInWithPassword } from "@gatehouse/accounts";
import { signInRequest } from "../../server/pages/account/request.ts";
import { choicesOf } from "../../server/pages/sign-in/continuation.ts";
import { nextStepResponse } from "../../server/pages/sign-in/next-step.ts";
import { showSignIn, signInAgain } from "../../server/pages/sign-in/sign-in.tsx";
import { route, type Visit } from "../../server/routing/route.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route("/sign-in", { GET: showSignIn, POST: submit });

async function submit(visit: Visit): Promise<Response> {
  const { form, app } = visit;
  const typed = { email: form.get("email")?.trim() ?? "", password: form.get("password") ?? undefined };
  const outcome = await signInWithPassword(typed, choicesOf(form), signInRequest(visit), app.deps);
  return outcome.kind === "next" ? nextStepResponse(outcome.next, visit) : signInAgain(outcome, typed.email, visit);
}
