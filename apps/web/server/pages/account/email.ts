import { type Account, changeEmailWithCode, requestEmailChange, sessionBinding } from "@gatehouse/accounts";
import type { ActiveSession } from "@gatehouse/auth";
import { ChangeEmailCodePage, ChangeEmailPage } from "../../../views/account/email.tsx";
import type { Visit } from "../../routing/visit.ts";
import { renewSession } from "../cookies/session.ts";
import { sessionCsrf } from "../forms/csrf.ts";
import { tooManyAttempts } from "../responses/errors.tsx";
import { notSignedIn } from "../responses/not-signed-in.ts";
import { page, seeOther } from "../responses/respond.ts";
import { requireFreshSignIn } from "../sign-in/confirm.tsx";
import { accountRequest } from "./request.ts";

/** The form for a new address. */
export async function showEmail(visit: Visit<ActiveSession>): Promise<Response> {
  return (await requireFreshSignIn(visit)) ?? ask(visit);
}

/** Typing the code needs no new confirmation: it proves the address, and the change was asked for under one. */
export async function submitEmail(visit: Visit<ActiveSession>): Promise<Response> {
  const { app, session, form, request } = visit;
  const isCode = form.get("action") === "code";
  const stale = isCode ? undefined : await requireFreshSignIn(visit);
  if (stale) return stale;
  const account = await app.deps.people.findAccount(session.user.id);
  if (!account) return notSignedIn("signed_in", request, app.deps);
  return isCode ? confirm(account, visit) : change(account, visit);
}

async function change(account: Account, visit: Visit<ActiveSession>): Promise<Response> {
  const { app, form, session, texts } = visit;
  if (!app.deps.mail.available) return ask(visit);
  const typed = form.get("new_email") ?? "";
  const request = { ...accountRequest(visit), browser: sessionBinding(session) };
  const outcome = await requestEmailChange(account, typed, request, app.deps);
  if (outcome.kind === "code_sent") return askCode(visit, outcome.email);
  const problem = { email: texts.email.invalid, same: texts.email.same, domain: texts.email.domain }[outcome.code];
  return ask(visit, { typed, problem });
}

async function confirm(account: Account, visit: Visit<ActiveSession>): Promise<Response> {
  const { app, form, session, texts } = visit;
  const email = form.get("new_email") ?? "";
  const typed = { email, code: form.get("code") ?? "", browser: sessionBinding(session) };
  const outcome = await changeEmailWithCode(
    { account, sessionId: session.session.id },
    typed,
    accountRequest(visit),
    app.deps,
  );
  switch (outcome.kind) {
    case "changed":
      return seeOther("/account?notice=email_changed", { cookies: (await renewSession({ session, app })).cookies });
    case "wait":
      return tooManyAttempts(outcome.seconds, visit, "/account/email");
    case "wrong":
      return askCode(visit, email, texts.verifyEmail.wrong);
    case "dead":
      return ask(visit, { typed: email, problem: texts.email.cancelled });
  }
}

function ask(visit: Visit<ActiveSession>, again: { typed?: string; problem?: string } = {}): Response {
  const { app, frame, session } = visit;
  const props = {
    frame,
    csrf: sessionCsrf(visit),
    current: session.user.email,
    available: app.deps.mail.available,
    ...again,
  };
  return page(ChangeEmailPage(props), { status: again.problem === undefined ? 200 : 400 });
}

function askCode(visit: Visit<ActiveSession>, email: string, problem?: string): Response {
  const props = { frame: visit.frame, csrf: sessionCsrf(visit), email, problem };
  return page(ChangeEmailCodePage(props), { status: problem === undefined ? 200 : 400 });
}
