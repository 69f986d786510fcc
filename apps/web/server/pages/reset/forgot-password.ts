import { findKnownBrowser, normaliseEmail, requestReset } from "@gatehouse/accounts";
import { csrfToken } from "@gatehouse/auth";
import { ForgotPasswordPage, type ForgotPasswordProps, ResetSentPage } from "../../../views/forgot-password.tsx";
import type { Visit } from "../../routing/route.ts";
import { browserOf, signInBrowser } from "../cookies/sign-in.ts";
import { mailBrand } from "../frame/brand.ts";
import { page } from "../responses/respond.tsx";
import { continuationOf } from "../sign-in/continuation.ts";
import { toProviderOfDomain } from "../sign-in/provider/departure.tsx";

export function showForgotPassword(visit: Visit): Response {
  const { searchParams } = visit.url;
  return ask(visit, { continuation: continuationOf(searchParams), email: searchParams.get("email") ?? undefined });
}

export async function submitForgotPassword(visit: Visit): Promise<Response> {
  const { form, app, caller, frame, locale, request } = visit;
  const typed = form.get("email")?.trim() ?? "";
  const continuation = continuationOf(form);
  const email = normaliseEmail(typed);
  if (!app.deps.mail.available) return ask(visit, { continuation });
  if (email === undefined) return ask(visit, { continuation, email: typed, problem: visit.texts.reset.emailInvalid });
  const elsewhere = await toProviderOfDomain({ email, continuation, keep: true }, visit);
  if (elsewhere) return elsewhere;
  const brand = await mailBrand(continuation.request, visit);
  const browserId = await findKnownBrowser(email, signInBrowser(visit), app.deps);
  await requestReset({ email, continuation, browser: browserOf(visit), browserId, locale, caller, brand }, app.deps);
  const { token } = csrfToken(request.headers.get("cookie"), undefined, app.deps);
  return page(ResetSentPage({ frame, csrf: token, continuation, email: typed }));
}

function ask(visit: Visit, props: Pick<ForgotPasswordProps, "continuation" | "email" | "problem">): Response {
  const { app, frame, request } = visit;
  const { token, setCookie } = csrfToken(request.headers.get("cookie"), undefined, app.deps);
  const status = props.problem === undefined ? 200 : 400;
  return page(ForgotPasswordPage({ ...props, frame, csrf: token, mailWorks: app.deps.mail.available }), { status, cookies: [setCookie] });
}
