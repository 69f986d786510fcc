import { signInWithPassword } from "@gatehouse/accounts";
import { signInRequest } from "../../server/pages/account/request.ts";
import { seeOther } from "../../server/pages/responses/respond.tsx";
import { tooManyAttempts } from "../../server/pages/responses/too-many-attempts.tsx";
import { choicesOf } from "../../server/pages/sign-in/continuation.ts";
import { newBrowserPath } from "../../server/pages/sign-in/new-browser.ts";
import { nextStepResponse } from "../../server/pages/sign-in/next-step.ts";
import { goToProvider } from "../../server/pages/sign-in/provider/departure.tsx";
import { showSignIn, signInPage } from "../../server/pages/sign-in/sign-in.tsx";
import { route, type Visit } from "../../server/routing/route.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route("/sign-in", { GET: showSignIn, POST: submit });

async function submit(visit: Visit): Promise<Response> {
  const { form, texts } = visit;
  const typed = { email: form.get("email")?.trim() ?? "", password: form.get("password") ?? undefined };
  const choices = choicesOf(form);
  const { continuation, keep } = choices;
  const facts = { continuation, email: typed.email, keep };
  const again = (problem: string) => signInPage(visit, { ...facts, problem }, 400);
  const outcome = await signInWithPassword(typed, choices, signInRequest(visit), visit.app.deps);
  switch (outcome.kind) {
    case "invalid_email": // the browser checks no field of this form: its idea of an address is narrower than ours
      return again(texts.reset.emailInvalid);
    case "provider":
      return goToProvider(outcome.provider.id, { ...continuation, keep, loginHint: outcome.email }, visit);
    case "ask_password":
      return signInPage(visit, facts);
    case "no_password":
      return again(texts.signIn.enterPassword);
    case "new_browser":
      return seeOther(newBrowserPath(typed.email, continuation));
    case "wait":
      return tooManyAttempts(outcome.seconds, visit, "/sign-in");
    case "wrong":
      return again(texts.signIn.incorrect);
    case "next":
      return nextStepResponse(outcome.next, visit);
  }
}
