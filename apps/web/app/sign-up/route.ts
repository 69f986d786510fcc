import { signUp } from "@gatehouse/accounts";
import { brandedAccountRequest } from "../../server/pages/account/request.ts";
import { faultWords } from "../../server/pages/forms/problems.ts";
import { seeOther } from "../../server/pages/responses/respond.tsx";
import { tooManyAttempts } from "../../server/pages/responses/too-many-attempts.tsx";
import { toProviderOfDomain } from "../../server/pages/sign-in/provider/domain.ts";
import { browserOf, continuationOf, signedIn, signUpPage } from "../../server/pages/sign-in/sign-in.tsx";
import { codePage, signUpClosedPage } from "../../server/pages/verify-email/verify-email.tsx";
import { route, type Visit } from "../../server/routing/route.ts";
import { continuationQuery } from "../../views/sign-in/sign-in.tsx";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route("/sign-up", { GET: show, POST: submit });

/** RG-01: where nobody can sign up, prompt=create shows the sign-in page. */
async function show(visit: Visit): Promise<Response> {
  const { searchParams } = visit.url;
  const continuation = continuationOf(searchParams);
  if (visit.app.deps.accounts.signUp !== "open") return seeOther(`/sign-in${continuationQuery(continuation)}`);
  return signUpPage(visit, { continuation, email: searchParams.get("email") ?? undefined });
}

async function submit(visit: Visit): Promise<Response> {
  const { form, app, caller } = visit;
  if (app.deps.accounts.signUp !== "open") return signUpClosedPage(visit);
  const continuation = continuationOf(form);
  const elsewhere = await toProviderOfDomain({ email: form.get("email") ?? "", continuation, keep: true }, visit);
  if (elsewhere) return elsewhere;

  // Successful attempts stay counted too: creating accounts is what an abuser wants.
  const waitSeconds = await app.deps.limits.signUp(caller).begin();
  if (waitSeconds > 0) return tooManyAttempts(waitSeconds, visit, "/sign-up");

  const typed = { name: form.get("name") ?? "", email: form.get("email") ?? "", password: form.get("password") ?? "" };
  const browser = browserOf(visit).hash;
  const request = await brandedAccountRequest(visit, continuation.request);
  const outcome = await signUp(typed, { ...request, browser, continuation }, app.deps);
  switch (outcome.kind) {
    case "created":
      return signedIn(outcome.person, { method: "sign_up" }, { continuation }, visit);
    case "code_sent":
      return codePage(visit, { of: "sign_up", email: outcome.email, continuation });
    case "refused":
      return signUpPage(visit, { continuation, name: typed.name, email: typed.email, ...faultWords(outcome.fault, visit.texts) }, 400);
  }
}
