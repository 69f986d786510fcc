import { confirmBrowser, normaliseEmail, requestBrowserCode } from "@gatehouse/accounts";
import { accountRequest } from "../../../server/pages/account/request.ts";
import { confirmedBrowserCookie } from "../../../server/pages/cookies/confirmed-browser.ts";
import { seeOther } from "../../../server/pages/responses/respond.tsx";
import { tooManyAttempts } from "../../../server/pages/responses/too-many-attempts.tsx";
import { newBrowserPage, newBrowserPath } from "../../../server/pages/sign-in/new-browser.tsx";
import { browserOf, continuationOf } from "../../../server/pages/sign-in/sign-in.tsx";
import { route, type Visit } from "../../../server/routing/route.ts";
import { type Continuation, continuationQuery } from "../../../views/sign-in/sign-in.tsx";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route("/sign-in/new-browser", { GET: show, POST: act });

async function show(visit: Visit): Promise<Response> {
  const { searchParams } = visit.url;
  const continuation = continuationOf(searchParams);
  const email = await emailOf(searchParams, visit);
  if (email === undefined) return backToSignIn(searchParams, continuation);
  return newBrowserPage(visit, { email, continuation, sent: searchParams.has("sent") });
}

/** The address, if its account requires a code. Otherwise no code is mailed, so that strangers cannot flood a mailbox. */
async function emailOf(fields: URLSearchParams, { app }: Visit): Promise<string | undefined> {
  const email = normaliseEmail(fields.get("email") ?? "");
  return email !== undefined && (await app.deps.limits.needsBrowserCode(email)) ? email : undefined;
}

const backToSignIn = (fields: URLSearchParams, continuation: Continuation) =>
  seeOther(`/sign-in${continuationQuery(continuation, { email: fields.get("email") ?? "" })}`);

async function act(visit: Visit): Promise<Response> {
  const { form, app } = visit;
  const continuation = continuationOf(form);
  const email = await emailOf(form, visit);
  const browser = browserOf(visit).hash;
  if (email === undefined || browser === null) return backToSignIn(form, continuation);

  if (form.get("action") === "send") {
    await requestBrowserCode({ email, browser }, accountRequest(visit), app.deps);
    return seeOther(newBrowserPath(email, continuation, { sent: "1" }));
  }
  const result = await confirmBrowser({ email, code: form.get("code") ?? "", browser }, app.deps);
  if (result === "confirmed") {
    const query = continuationQuery(continuation, { email, notice: "browser_confirmed" });
    return seeOther(`/sign-in${query}`, { cookies: [confirmedBrowserCookie(email, app.deps)] });
  }
  if (result.kind === "wait") return tooManyAttempts(result.seconds, visit, "/sign-in/new-browser");
  return newBrowserPage(visit, { email, continuation, sent: true, problem: visit.texts.emailSignIn.wrongCode });
}
