/** @jsxImportSource preact */
import { asOAuthError, CORS, OAuthError, recordRefusal } from "@gatehouse/auth";
import { amount } from "@gatehouse/languages";
import type { Frame } from "../../../views/frame.ts";
import { MessagePage } from "../../../views/message.tsx";
import { POLICIES, type RoutePath } from "../../routing/policy-table.ts";
import type { Visit } from "../../routing/visit.ts";
import { json, page } from "./respond.ts";

/** What an error page needs. */
type Failing = Pick<Visit, "app" | "caller" | "frame">;

/** 405 with `Allow`, which Next leaves out (NX-02). */
export function wrongMethod(path: RoutePath, allow: string, { frame }: Pick<Visit, "frame">): Response {
  const headers = { Allow: allow };
  if (POLICIES[path].kind === "endpoint") {
    return json({ error: "invalid_request", error_description: `Use ${allow}.` }, { status: 405, headers });
  }
  const { invalid, method } = frame.texts.errors;
  const content = (
    <MessagePage frame={frame} title={invalid}>
      {method(allow)}
    </MessagePage>
  );
  return page(content, { status: 405, headers });
}

/** The error page for a rejected form or page request. Records its cause in the failure ledger. */
export async function pageRefusal(
  error: OAuthError,
  endpoint: string,
  { app, caller, frame }: Failing,
): Promise<Response> {
  const errorId = await recordRefusal(error, { endpoint, clientId: null }, app.deps, caller);
  const { failed, invalid, account } = frame.texts.errors;
  const content = (
    <MessagePage
      frame={frame}
      title={error.status >= 500 ? failed : invalid}
      errorId={errorId}
      action={{ label: account, href: "/account" }}
    >
      {explain(error, frame)}
    </MessagePage>
  );
  return page(content, { status: error.status, headers: { "Gatehouse-Error-Id": errorId, ...error.headers } });
}

/** What happened, in the page's language. Descriptions for developers are in English. */
function explain(error: OAuthError, { texts: { errors } }: Frame) {
  if (error.refusalCause === "csrf_failed") return errors.csrf;
  if (error.refusalCause === "form_cookies_lost") return errors.cookiesLost;
  if (error.refusalCause === "store_unavailable") return errors.unavailable;
  if (error.status >= 500) return errors.internal;
  return error.description === undefined ? errors.reload : <span lang="en">{error.description}</span>;
}

/** The response to whatever a handler threw. Hides the cause from the caller and logs it under the error id. */
export async function fail(path: RoutePath, thrown: unknown, visit: Failing): Promise<Response> {
  const { app, caller } = visit;
  const error = asOAuthError(thrown);
  if (POLICIES[path].kind === "page") return pageRefusal(error, path, visit);
  const errorId = await recordRefusal(error, { endpoint: path, clientId: null }, app.deps, caller);
  return json(
    { error: error.code, error_description: error.description, error_id: errorId },
    { status: error.status, headers: { "Gatehouse-Error-Id": errorId, ...error.headers } },
  );
}

/** 404 as a page for browsers and as JSON for programs. */
export function notFound({ request, frame }: Pick<Visit, "request" | "frame">): Response {
  const { pathname } = new URL(request.url);
  const wantsPage =
    request.headers.get("accept")?.includes("text/html") && !/^\/(api|trpc|\.well-known)(\/|$)/.test(pathname);
  if (!wantsPage) {
    const body = { error: "not_found", error_description: "There is nothing at this address." };
    // BB-05: without CORS headers, a page takes a wrong URL for a network error
    return json(body, { status: 404, headers: CORS });
  }
  const { errors } = frame.texts;
  const content = (
    <MessagePage frame={frame} title={errors.notFound} action={{ label: errors.home, href: "/" }}>
      {errors.notFoundText}
    </MessagePage>
  );
  return page(content, { status: 404 });
}

/**
 * 409: the form is about a mailed link or account that this browser no longer has, such as another mailed link or
 * account. Nothing was done.
 */
export function outOfDate({ frame }: Pick<Visit, "frame">): Response {
  const { outOfDate: title, outOfDateText, account } = frame.texts.errors;
  const content = (
    <MessagePage frame={frame} title={title} action={{ label: account, href: "/account" }}>
      {outOfDateText}
    </MessagePage>
  );
  return page(content, { status: 409 });
}

/** 429 as a page, with `Retry-After`. Records the rejection in the failure ledger. */
export async function tooManyAttempts(waitSeconds: number, visit: Failing, endpoint: string): Promise<Response> {
  const { app, caller, frame } = visit;
  const error = new OAuthError("invalid_request", "rate_limited", "too many failed attempts", {
    detail: { waitSeconds },
  });
  const errorId = await recordRefusal(error, { endpoint, clientId: null }, app.deps, caller);
  const { tooMany, tooManyText } = frame.texts.errors;
  const content = (
    <MessagePage frame={frame} title={tooMany} errorId={errorId}>
      {tooManyText(amount(Math.ceil(waitSeconds / 60), "minute", frame.locale))}
    </MessagePage>
  );
  return page(content, { status: 429, headers: { "Retry-After": String(waitSeconds), "Gatehouse-Error-Id": errorId } });
}
