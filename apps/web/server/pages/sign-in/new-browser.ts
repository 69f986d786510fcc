import {
  type Continuation,
  confirmBrowser,
  normaliseEmail,
  requestBrowserCode,
  sealConfirmedBrowser,
} from "@gatehouse/accounts";
import { continuationQuery } from "../../../views/continuation.ts";
import { NewBrowserPage, type NewBrowserProps } from "../../../views/sign-in/new-browser.tsx";
import type { Visit } from "../../routing/visit.ts";
import { accountRequest, signInRequest } from "../account/request.ts";
import { browserOf, confirmedBrowserCookie } from "../cookies/sign-in.ts";
import { browserForm } from "../forms/csrf.ts";
import { tooManyAttempts } from "../responses/errors.tsx";
import { page, seeOther } from "../responses/respond.ts";
import { continuationOf } from "./continuation.ts";

/** Where a browser that the account does not know gets and enters a code. AB-03. */
export function newBrowserPath(email: string, continuation: Continuation, more: Record<string, string> = {}): string {
  return `/sign-in/new-browser${continuationQuery(continuation, { email, ...more })}`;
}

/** The page where a code is asked for and typed. */
function newBrowserPage(visit: Visit, props: Omit<NewBrowserProps, "frame" | "csrf">): Response {
  const { csrf, cookies } = browserForm(visit);
  const content = NewBrowserPage({ ...props, frame: visit.frame, csrf });
  return page(content, { status: props.problem === undefined ? 200 : 400, cookies });
}

/** The page for an address whose account requires a code. AB-03. */
export async function showNewBrowser(visit: Visit): Promise<Response> {
  const { searchParams } = visit.url;
  const continuation = continuationOf(searchParams);
  const email = await emailOf(searchParams, visit);
  if (email === undefined) return backToSignIn(searchParams, continuation);
  return newBrowserPage(visit, { email, continuation, sent: searchParams.has("sent") });
}

/**
 * The address, if its account requires a code. Otherwise no code is mailed, so that strangers cannot flood a mailbox.
 */
async function emailOf(fields: URLSearchParams, { app }: Visit): Promise<string | undefined> {
  const email = normaliseEmail(fields.get("email") ?? "");
  return email !== undefined && (await app.deps.limits.needsBrowserCode(email)) ? email : undefined;
}

const backToSignIn = (fields: URLSearchParams, continuation: Continuation) =>
  seeOther(`/sign-in${continuationQuery(continuation, { email: fields.get("email") ?? "" })}`);

/** Mails a code, or takes it. AB-03. */
export async function submitNewBrowser(visit: Visit): Promise<Response> {
  const { form, app } = visit;
  const continuation = continuationOf(form);
  const email = await emailOf(form, visit);
  const browser = browserOf(visit);
  if (email === undefined || browser === null) return backToSignIn(form, continuation);

  if (form.get("action") === "send") {
    await requestBrowserCode({ email, browser }, accountRequest(visit), app.deps);
    return seeOther(newBrowserPath(email, continuation, { sent: "1" }));
  }
  const typed = { email, code: form.get("code") ?? "", continuation };
  const result = await confirmBrowser(typed, signInRequest(visit), app.deps);
  if (result === "confirmed") {
    const query = continuationQuery(continuation, { email, notice: "browser_confirmed" });
    return seeOther(`/sign-in${query}`, {
      cookies: [confirmedBrowserCookie(sealConfirmedBrowser(email, app.deps), visit)],
    });
  }
  if (result.kind === "wait") return tooManyAttempts(result.seconds, visit, "/sign-in/new-browser");
  return newBrowserPage(visit, { email, continuation, sent: true, problem: visit.texts.emailSignIn.wrongCode });
}
