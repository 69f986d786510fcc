import { changePassword, judged, verifyPassword } from "@gatehouse/accounts";
import { ACR, type ActiveSession, raiseSession, sessionCookie } from "@gatehouse/auth";
import { subjectKey } from "@gatehouse/net";
import { accountFrame, sourceOf } from "../../../server/pages/account/frame.ts";
import { browserOfSession, rememberBrowser } from "../../../server/pages/cookies/known-browser.ts";
import { passwordProblemWords } from "../../../server/pages/forms/password-problem.ts";
import { notSignedIn, page, seeOther } from "../../../server/pages/responses/respond.tsx";
import { tooManyAttempts } from "../../../server/pages/responses/too-many-attempts.tsx";
import { requireSudo } from "../../../server/pages/sign-in/confirm.tsx";
import { route, type Visit } from "../../../server/routing/route.ts";
import { PasswordPage } from "../../../views/account/password.tsx";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route("/account/password", { GET: show, POST: submit });

type Refused = { field: "current" | "password"; problem: string };

async function show(visit: Visit<ActiveSession>): Promise<Response> {
  return (await requireSudo(visit)) ?? ask(visit);
}

async function submit(visit: Visit<ActiveSession>): Promise<Response> {
  const confirm = await requireSudo(visit);
  if (confirm) return confirm;
  const { form, session, app, texts, locale, request } = visit;
  const { user } = session;
  if (await asksCurrent(visit)) {
    const cookies = request.headers.get("cookie");
    const attempts = app.deps.limits.signIn(user.email, await browserOfSession(session, cookies, app.deps), visit.caller);
    const waitSeconds = await attempts.begin();
    if (waitSeconds > 0) return tooManyAttempts(waitSeconds, visit, "/account/password");
    const current = { email: user.email, password: form.get("current") ?? "", asker: subjectKey("account", user.id) };
    const right = await judged(attempts, verifyPassword(current, app.deps));
    if (!right) return ask(visit, { field: "current", problem: texts.password.currentWrong });
    await attempts.succeeded();
  }
  const { id: userId, signInEpoch } = user;
  const change = { userId, signInEpoch, sessionId: session.session.id, apps: form.get("apps") === "on", source: sourceOf(visit), locale };
  const outcome = await changePassword({ ...change, password: form.get("password") ?? "" }, app.deps);
  if (outcome.kind === "refused") return ask(visit, { field: "password", problem: passwordProblemWords(outcome.problem, texts) });
  return outcome.kind === "changed" ? changed(visit) : seeOther("/account/password");
}

/** The session goes on under a new secret, and the browser stays known. §7, AB-03. */
async function changed({ session, app, request }: Visit<ActiveSession>): Promise<Response> {
  const raised = await raiseSession(session, {}, app.deps);
  const person = await app.deps.people.findPerson(session.user.id);
  if (!raised || !person) return notSignedIn("signed_in", request, app.deps);
  const known = rememberBrowser(person, request.headers.get("cookie"), app.deps);
  return seeOther("/account/security?notice=password_changed", {
    cookies: [sessionCookie(raised.secret, raised.session, app.deps.config), ...known],
  });
}

/** The current password, unless the user has none or has just used a passkey, which proves more. PW-08. */
async function asksCurrent({ session, app }: Visit<ActiveSession>): Promise<boolean> {
  const { hasPassword } = await app.deps.people.findResetFacts(session.user.id);
  return hasPassword && session.session.acr !== ACR.phr;
}

async function ask(visit: Visit<ActiveSession>, refused?: Refused): Promise<Response> {
  const { session, app } = visit;
  const { hasPassword } = await app.deps.people.findResetFacts(session.user.id);
  const props = { hasPassword, asksCurrent: await asksCurrent(visit), leastCharacters: app.deps.passwordRules.leastCharacters };
  return page(PasswordPage({ ...(await accountFrame(visit)), ...props, ...refused }), { status: refused ? 400 : 200 });
}
