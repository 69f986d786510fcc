import { normaliseEmail, requestReset } from "@gatehouse/accounts";
import { csrfToken } from "@gatehouse/auth";
import { knownBrowser } from "../../server/pages/cookies/known-browser.ts";
import { mailBrand } from "../../server/pages/frame/frame.ts";
import { page } from "../../server/pages/responses/respond.tsx";
import { toProviderOfDomain } from "../../server/pages/sign-in/provider/domain.ts";
import { browserOf, continuationOf } from "../../server/pages/sign-in/sign-in.tsx";
import { route, type Visit } from "../../server/routing/route.ts";
import { ForgotPasswordPage, type ForgotPasswordProps, ResetSentPage } from "../../views/forgot-password.tsx";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route("/forgot-password", { GET: show, POST: submit });

function show(visit: Visit): Response {
  const { searchParams } = visit.url;
  return ask(visit, { continuation: continuationOf(searchParams), email: searchParams.get("email") ?? undefined });
}

async function submit(visit: Visit): Promise<Response> {
  const { form, app, caller, frame, locale, request } = visit;
  const typed = form.get("email")?.trim() ?? "";
  const continuation = continuationOf(form);
  const email = normaliseEmail(typed);
  if (!app.deps.mail.available) return ask(visit, { continuation });
  if (email === undefined) return ask(visit, { continuation, email: typed, problem: visit.texts.reset.emailInvalid });
  const elsewhere = await toProviderOfDomain({ email, continuation, keep: true }, visit);
  if (elsewhere) return elsewhere;
  const brand = await mailBrand(continuation.request, visit);
  const browserId = await knownBrowser(email, request.headers.get("cookie"), app.deps);
  await requestReset({ email, continuation, browser: browserOf(visit).hash, browserId, locale, caller, brand }, app.deps);
  const { token } = csrfToken(request.headers.get("cookie"), undefined, app.deps);
  return page(ResetSentPage({ frame, csrf: token, continuation, email: typed }));
}

function ask(visit: Visit, props: Pick<ForgotPasswordProps, "continuation" | "email" | "problem">): Response {
  const { app, frame, request } = visit;
  const { token, setCookie } = csrfToken(request.headers.get("cookie"), undefined, app.deps);
  const status = props.problem === undefined ? 200 : 400;
  return page(ForgotPasswordPage({ ...props, frame, csrf: token, mailWorks: app.deps.mail.available }), { status, cookies: [setCookie] });
}
