import { takeMailedLink } from "../../../server/pages/cookies/mailed-link.ts";
import { notFound } from "../../../server/pages/responses/errors.tsx";
import { codePage, enterCode, followLink, linkPage, sendCode } from "../../../server/pages/sign-in/code.tsx";
import { choicesOf } from "../../../server/pages/sign-in/continuation.ts";
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
