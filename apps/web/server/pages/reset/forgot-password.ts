import { findKnownBrowser, normaliseEmail, requestReset } from "@gatehouse/accounts";
import { ForgotPasswordPage, type ForgotPasswordProps, ResetSentPage } from "../../../views/forgot-password.tsx";
import type { Visit } from "../../routing/visit.ts";
import { browserOf, signInBrowser } from "../cookies/sign-in.ts";
import { browserForm } from "../forms/csrf.ts";
import { mailBrand } from "../frame/brand.ts";
import { page } from "../responses/respond.ts";
import { continuationOf } from "../sign-in/continuation.ts";
import { toProviderOfDomain } from "../sign-in/provider/departure.tsx";

/** The form for an address. FP-01. */
export function showForgotPassword(visit: Visit): Response {
  const { searchParams } = visit.url;
  return ask(visit, { continuation: continuationOf(searchParams), email: searchParams.get("email") ?? undefined });
}

/** Mails a link, or does as much for an address that nobody has. FP-01. */
export async function submitForgotPassword(visit: Visit): Promise<Response> {
  const { form, app, caller, frame, locale } = visit;
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
  return page(ResetSentPage({ frame, csrf: browserForm(visit).csrf, continuation, email: typed }));
}

function ask(visit: Visit, props: Pick<ForgotPasswordProps, "continuation" | "email" | "problem">): Response {
  const { app, frame } = visit;
  const { csrf, cookies } = browserForm(visit);
  const status = props.problem === undefined ? 200 : 400;
  return page(ForgotPasswordPage({ ...props, frame, csrf, mailWorks: app.deps.mail.available }), { status, cookies });
}
