import { signInWithCode, signInWithLink } from "@gatehouse/accounts";
import { signInRequest } from "../../../server/pages/account/request.ts";
import { forgetMailedLink, mailedLinkSecret, refuseOtherLink, takeMailedLink } from "../../../server/pages/cookies/mailed-link.ts";
import { notFound, withCookies } from "../../../server/pages/responses/respond.tsx";
import { tooManyAttempts } from "../../../server/pages/responses/too-many-attempts.tsx";
import { codePage, linkPage, sendCode, unusableLink } from "../../../server/pages/sign-in/code.tsx";
import { choicesOf } from "../../../server/pages/sign-in/continuation.ts";
import { nextStepResponse } from "../../../server/pages/sign-in/next-step.ts";
import { route, type Visit } from "../../../server/routing/route.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route("/sign-in/code", { GET: show, POST: act });

function show(visit: Visit): Response | Promise<Response> {
  if (!visit.app.deps.accounts.emailSignIn) return notFound(visit);
  const { searchParams } = visit.url;
  const email = searchParams.get("email");
  return takeMailedLink(visit) ?? (email === null ? linkPage(visit) : codePage(visit, email, choicesOf(searchParams)));
}

function act(visit: Visit): Response | Promise<Response> {
  if (!visit.app.deps.accounts.emailSignIn) return notFound(visit);
  const action = visit.form.get("action");
  if (action === "send") return sendCode(visit);
  return action === "link" ? followLink(visit) : enterCode(visit);
}

async function enterCode(visit: Visit): Promise<Response> {
  const { form, app, texts } = visit;
  const email = form.get("email") ?? "";
  const choices = choicesOf(form);
  const outcome = await signInWithCode({ email, code: form.get("code") ?? "" }, choices, signInRequest(visit), app.deps);
  if (outcome.kind === "wait") return tooManyAttempts(outcome.seconds, visit, "/sign-in/code");
  if (outcome.kind === "wrong") return codePage(visit, email, choices, texts.emailSignIn.wrongCode);
  return withCookies(await nextStepResponse(outcome.next, visit), [forgetMailedLink(visit)]);
}

/** Counts only with the cookie of the browser that asked for the mail: N56. */
async function followLink(visit: Visit): Promise<Response> {
  const refused = refuseOtherLink(visit);
  if (refused) return refused;
  const outcome = await signInWithLink(mailedLinkSecret(visit), signInRequest(visit), visit.app.deps);
  if (outcome.kind !== "next") return unusableLink(outcome.kind, visit);
  return withCookies(await nextStepResponse(outcome.next, visit), [forgetMailedLink(visit)]);
}
