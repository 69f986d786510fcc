import { type Attempts, judged, normaliseEmail, verifyPassword } from "@gatehouse/accounts";
import { siteKey, subjectKey } from "@gatehouse/net";
import { confirmedBrowser } from "../../server/pages/cookies/confirmed-browser.ts";
import { knownBrowser } from "../../server/pages/cookies/known-browser.ts";
import { seeOther } from "../../server/pages/responses/respond.tsx";
import { tooManyAttempts } from "../../server/pages/responses/too-many-attempts.tsx";
import { afterAddress } from "../../server/pages/sign-in/after-address.ts";
import { countSignIn } from "../../server/pages/sign-in/count-sign-in.ts";
import { newBrowserPath } from "../../server/pages/sign-in/new-browser.tsx";
import { continuationOf, keepsSignedIn, signedIn, signInPage } from "../../server/pages/sign-in/sign-in.tsx";
import { route, type Visit } from "../../server/routing/route.ts";
import type { Continuation } from "../../views/sign-in/sign-in.tsx";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route("/sign-in", { GET: show, POST: submit });

function show(visit: Visit): Promise<Response> {
  const { searchParams } = visit.url;
  return signInPage(visit, {
    continuation: continuationOf(searchParams),
    email: searchParams.get("email") ?? undefined,
    ...noticeOf(visit),
  });
}

/** What led here, by its key in the query, so that a link cannot put its own text on the page. */
function noticeOf({ url, texts: { signIn } }: Visit): { note?: string } {
  const key = url.searchParams.get("notice") ?? "";
  return Object.hasOwn(signIn.notices, key) ? { note: signIn.notices[key as keyof typeof signIn.notices] } : {};
}

async function submit(visit: Visit): Promise<Response> {
  const { form, app, caller } = visit;
  const email = form.get("email")?.trim() ?? "";
  const password = form.get("password") ?? "";
  const continuation = continuationOf(form);
  const keep = keepsSignedIn(form);
  // The browser checks no field of this form: its idea of an address is narrower than ours.
  if (normaliseEmail(email) === undefined) {
    return signInPage(visit, { continuation, email, keep, problem: visit.texts.reset.emailInvalid }, 400);
  }
  const elsewhere = await afterAddress({ email, continuation, keep }, visit);
  if (elsewhere) return elsewhere;

  if (password === "") return signInPage(visit, { continuation, email, keep, problem: visit.texts.signIn.enterPassword }, 400);

  const browserId = await browserIdOf(email, visit);
  const attempts = app.deps.limits.signIn(email, browserId, caller);
  const refusal = await admit(attempts, { email, browserId, continuation }, visit);
  if (refusal) return refusal;

  // Not by browser or by what was typed: one account has as many browsers and spellings as its user likes.
  const asker = browserId === undefined ? siteKey(caller) : subjectKey("account", normaliseEmail(email));
  const user = await judged(attempts, verifyPassword({ email, password, asker }, app.deps));
  if (!user) {
    countSignIn("failed", "password", continuation, visit);
    return signInPage(visit, { continuation, email, keep, problem: visit.texts.signIn.incorrect }, 400);
  }
  await attempts.succeeded();
  return signedIn(user, { method: "password" }, { continuation, keep }, visit);
}

/** The browser whose attempts are counted on their own: one that the account knows, or that entered a code. AB-03. */
async function browserIdOf(email: string, { request, app }: Visit): Promise<string | undefined> {
  const address = normaliseEmail(email) ?? "";
  const header = request.headers.get("cookie");
  return (await knownBrowser(address, header, app.deps)) ?? confirmedBrowser(address, header, app.deps);
}

type Attempt = { email: string; browserId: string | undefined; continuation: Continuation };

/** Counts the attempt; the response if no password may be judged now. */
async function admit(attempts: Attempts, { email, browserId, continuation }: Attempt, visit: Visit): Promise<Response | undefined> {
  const { limits } = visit.app.deps;
  const needsCode = async () => browserId === undefined && limits.needsBrowserCode(email);
  const toCode = () => seeOther(newBrowserPath(email, continuation));
  if (await needsCode()) return toCode();
  const waitSeconds = await attempts.begin();
  if (waitSeconds === 0) return undefined;
  // Parallel attempts can have reached the limit in between.
  return (await needsCode()) ? toCode() : tooManyAttempts(waitSeconds, visit, "/sign-in");
}
