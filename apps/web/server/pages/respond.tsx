/** @jsxImportSource hono/jsx */
import { asOAuthError, type Caller, type OAuthError, recordRefusal, unauthenticated } from "@gatehouse/auth";
import { MessagePage } from "../../views/message.tsx";
import { PAGE_HEADERS } from "../routing/headers.ts";
import { POLICIES, type RoutePath, type SessionRequirement } from "../routing/policy-table.ts";
import type { App } from "../start/app.ts";

type Extra = { status?: number; headers?: Record<string, string>; cookies?: readonly (string | undefined)[] };

/** Adds `Set-Cookie` headers. Undefined cookies are left out. */
export function withCookies(response: Response, cookies: Extra["cookies"] = []): Response {
  for (const cookie of cookies) if (cookie !== undefined) response.headers.append("Set-Cookie", cookie);
  return response;
}

/** An HTML response with the headers of every page. */
export function page(content: unknown, { status = 200, headers, cookies }: Extra = {}): Response {
  const all = { ...PAGE_HEADERS, "Content-Type": "text/html; charset=utf-8", ...headers };
  return withCookies(new Response(`<!doctype html>${String(content)}`, { status, headers: all }), cookies);
}

/** A redirect with 303. Next's own redirects use 307 and rewrite the URL (NX-01, SE-04). */
export function seeOther(location: string, { headers, cookies }: Omit<Extra, "status"> = {}): Response {
  return withCookies(new Response(null, { status: 303, headers: { ...PAGE_HEADERS, Location: location, ...headers } }), cookies);
}

/** A JSON response that is not cached. */
export function json(body: unknown, { status = 200, headers }: Extra = {}): Response {
  return new Response(JSON.stringify(body), {
    status,
    headers: { "Content-Type": "application/json", "Cache-Control": "no-store", ...headers },
  });
}

/** 401 in JSON, or a redirect to the sign-in page and back, as the route requires. */
export function notSignedIn(requires: SessionRequirement, request: Request): Response {
  if (requires === "session") return unauthenticated();
  const url = new URL(request.url);
  // Next's router adds `_rsc` to its own requests. The user returns to the page itself.
  if (url.searchParams.has("_rsc")) url.searchParams.delete("_rsc");
  return seeOther(signInPath(url.pathname + (request.method === "GET" ? url.search : "")));
}

/** The URL of the sign-in page that returns to `next`, a local path. */
export function signInPath(next: string): string {
  return `/sign-in?${new URLSearchParams({ next })}`;
}

/** 405 with `Allow`, which Next leaves out (NX-02). */
export function wrongMethod(path: RoutePath, allow: string): Response {
  const headers = { Allow: allow };
  if (POLICIES[path].kind === "endpoint") {
    return json({ error: "invalid_request", error_description: `Use ${allow}.` }, { status: 405, headers });
  }
  return page(<MessagePage title="We can't complete this request">This page only accepts {allow} requests.</MessagePage>, {
    status: 405,
    headers,
  });
}

/** The error page for a rejected form or page request. Records its cause in the failure ledger. */
export async function pageRefusal(error: OAuthError, endpoint: string, app: App, caller: Caller): Promise<Response> {
  const errorId = await recordRefusal(error, { endpoint, clientId: null }, app.deps, caller);
  const title = error.status >= 500 ? "Something went wrong" : "We can't complete this request";
  const text = error.description ?? "Go back, reload the page and try again.";
  const content = (
    <MessagePage title={title} errorId={errorId} action={{ label: "Go to your account", href: "/account" }}>
      {text}
    </MessagePage>
  );
  return page(content, { status: error.status, headers: { "Gatehouse-Error-Id": errorId, ...error.headers } });
}

/** The response to whatever a handler threw. Hides the cause from the caller and logs it under the error id. */
export async function fail(path: RoutePath, thrown: unknown, app: App, caller: Caller): Promise<Response> {
  const error = asOAuthError(thrown);
  if (POLICIES[path].kind === "page") return pageRefusal(error, path, app, caller);
  const errorId = await recordRefusal(error, { endpoint: path, clientId: null }, app.deps, caller);
  return json(
    { error: error.code, error_description: error.description, error_id: errorId },
    { status: error.status, headers: { "Gatehouse-Error-Id": errorId, ...error.headers } },
  );
}

/** 404 as a page for browsers and as JSON for programs. */
export function notFound(request: Request): Response {
  const { pathname } = new URL(request.url);
  const wantsPage = request.headers.get("accept")?.includes("text/html") && !/^\/(api|trpc|\.well-known)(\/|$)/.test(pathname);
  if (!wantsPage) return json({ error: "not_found", error_description: "There is nothing at this address." }, { status: 404 });
  const content = (
    <MessagePage title="Page not found" action={{ label: "Go to the home page", href: "/" }}>
      There's no page at this address. The link may be out of date or incomplete.
    </MessagePage>
  );
  return page(content, { status: 404 });
}
