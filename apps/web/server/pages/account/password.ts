import { asksCurrentPassword, changePassword, checkOwnPassword, sealKnownBrowser } from "@gatehouse/accounts";
import { type ActiveSession, raiseSession, sessionCookie } from "@gatehouse/auth";
import { PasswordPage } from "../../../views/account/password.tsx";
import type { Visit } from "../../routing/visit.ts";
import { knownBrowserCookies, signInBrowser } from "../cookies/sign-in.ts";
import { passwordProblemWords } from "../forms/problems.ts";
import { tooManyAttempts } from "../responses/errors.tsx";
import { notSignedIn } from "../responses/not-signed-in.ts";
import { page, seeOther } from "../responses/respond.ts";
import { requireFreshSignIn } from "../sign-in/confirm.tsx";
import { accountFrame } from "./frame.ts";
import { signInRequest, sourceOf } from "./request.ts";

type Refused = { field: "current" | "password"; problem: string };

/** The form for a new password. */
export async function showPassword(visit: Visit<ActiveSession>): Promise<Response> {
  return (await requireFreshSignIn(visit)) ?? ask(visit);
}

/** Changes the password, after checking the current one. PW-08. */
export async function submitPassword(visit: Visit<ActiveSession>): Promise<Response> {
  const confirm = await requireFreshSignIn(visit);
  if (confirm) return confirm;
  const { form, session, app, texts, locale } = visit;
  if (await asksCurrentPassword(session, app.deps)) {
    const current = form.get("current") ?? "";
    if (current === "") return ask(visit, { field: "current", problem: texts.signIn.enterPassword });
    const checked = await checkOwnPassword(session, current, signInRequest(visit), app.deps);
    if (checked.kind === "wait") return tooManyAttempts(checked.seconds, visit, "/account/password");
    if (checked.kind === "wrong") return ask(visit, { field: "current", problem: texts.password.currentWrong });
  }
  const { id: userId, signInEpoch } = session.user;
  const apps = form.get("apps") === "on";
  const change = { userId, signInEpoch, sessionId: session.session.id, apps, source: sourceOf(visit), locale };
  const outcome = await changePassword({ ...change, password: form.get("password") ?? "" }, app.deps);
  if (outcome.kind === "refused")
    return ask(visit, { field: "password", problem: passwordProblemWords(outcome.problem, texts) });
  return outcome.kind === "changed" ? changed(visit) : seeOther("/account/password");
}

/** The session goes on under a new secret, and the browser stays known. WE-02, AB-03. */
async function changed(visit: Visit<ActiveSession>): Promise<Response> {
  const { session, app, request } = visit;
  const raised = await raiseSession(session, {}, app.deps);
  const account = await app.deps.people.findAccount(session.user.id);
  if (!raised || !account) return notSignedIn("signed_in", request, app.deps);
  const known = knownBrowserCookies(account.id, sealKnownBrowser(account, signInBrowser(visit), app.deps), visit);
  const cookies = [sessionCookie(raised.secret, raised.session, app.deps.config), ...known];
  return seeOther("/account/security?notice=password_changed", { cookies });
}

async function ask(visit: Visit<ActiveSession>, refused?: Refused): Promise<Response> {
  const { session, app } = visit;
  const { hasPassword } = await app.deps.people.findResetFacts(session.user.id);
  const asksCurrent = await asksCurrentPassword(session, app.deps);
  const props = { hasPassword, asksCurrent, leastCharacters: app.deps.passwordRules.leastCharacters };
  return page(PasswordPage({ ...(await accountFrame(visit)), ...props, ...refused }), { status: refused ? 400 : 200 });
}
