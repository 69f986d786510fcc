/** @jsxImportSource preact */
import { createHash } from "node:crypto";
import { asOAuthError, atSignIn, CORS, matchesTag, type OAuthError, recordRefusal, unauthenticated } from "@gatehouse/auth";
import type { VNode } from "preact";
import { renderToString } from "preact-render-to-string";
import type { Frame } from "../../../views/frame.ts";
import { MessagePage } from "../../../views/message.tsx";
import { CEREMONY_HEADERS, PAGE_HEADERS } from "../../routing/headers.ts";
import { POLICIES, type RoutePath, type SessionRequirement } from "../../routing/policy-table.ts";
import type { Visit } from "../../routing/route.ts";
import type { App } from "../../start/app.ts";

type Extra = { status?: number; headers?: Record<string, string>; cookies?: readonly (string | undefined)[] };

/** What an error page needs. */
type Failing = Pick<Visit, "app" | "caller" | "frame">;

/** Adds `Set-Cookie` headers. Undefined cookies are left out. */
export function withCookies(response: Response, cookies: Extra["cookies"] = []): Response {
  for (const cookie of cookies) if (cookie !== undefined) response.headers.append("Set-Cookie", cookie);
  return response;
}

/** The whole document. */
export const htmlOf = (content: VNode) => `<!doctype html>${renderToString(content)}`;

/** An HTML response with the headers of every page and the language of the document. `ceremony`: the page may run our script for passkeys. WA-11. */
export function page(content: VNode, { status = 200, headers, cookies, ceremony = false }: Extra & { ceremony?: boolean } = {}): Response {
  const html = htmlOf(content);
  const language = /^<!doctype html><html lang="([\w-]+)"/.exec(html)?.[1];
  const all = {
    ...(ceremony ? CEREMONY_HEADERS : PAGE_HEADERS),
    "Content-Type": "text/html; charset=utf-8",
    ...(language && { "Content-Language": language }),
    ...headers,
  };
  return withCookies(new Response(html, { status, headers: all }), cookies);
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

/** 401 in JSON, or a redirect to the sign-in page and back, as the route requires. A pending request in the URL goes along. */
export function notSignedIn(
  requires: SessionRequirement,
  { url: sent }: Pick<Request, "url">,
  deps: Pick<App["deps"], "seal" | "now">,
): Response {
  if (requires === "session") return unauthenticated();
  const url = new URL(sent);
  // Next's router adds `_rsc` to its own requests. The user returns to the page itself.
  if (url.searchParams.has("_rsc")) url.searchParams.delete("_rsc");
  const pending = url.searchParams.get("request");
  if (pending) return seeOther(`/sign-in?${new URLSearchParams({ request: atSignIn(pending, deps) })}`);
  return seeOther(signInPath(url.pathname + url.search));
}

/** The URL of the sign-in page that returns to `next`, a local path. */
export function signInPath(next: string): string {
  return `/sign-in?${new URLSearchParams({ next })}`;
}

/** A picture that somebody uploaded. A browser that opens its URL treats it as a page without rights and without an origin. RG-09. */
export function picture({ type, bytes }: StoredPicture): Response {
  const headers = { ...PICTURE_HEADERS, "Content-Type": type, "Cache-Control": "public, max-age=86400, immutable" };
  return new Response(new Uint8Array(bytes), { headers });
}

/** The same, for its owner alone: the browser asks each time, so that it does not show the picture after a sign-out. */
export function ownPicture({ type, bytes }: StoredPicture, request: Request): Response {
  const tag = `"${createHash("sha256").update(bytes).digest("base64url").slice(0, 22)}"`;
  const headers = { ...PICTURE_HEADERS, "Content-Type": type, "Cache-Control": "private, no-cache", ETag: tag };
  if (matchesTag(request.headers.get("if-none-match"), tag)) return new Response(null, { status: 304, headers });
  return new Response(new Uint8Array(bytes), { headers });
}

/** The same, for pages of other sites. Caches ask again after five minutes, since the user can remove it. */
export function publicPicture({ type, bytes }: StoredPicture): Response {
  const shared = { "Cross-Origin-Resource-Policy": "cross-origin", "Cache-Control": "public, max-age=300" };
  return new Response(new Uint8Array(bytes), { headers: { ...PICTURE_HEADERS, ...shared, "Content-Type": type } });
}

type StoredPicture = { type: string; bytes: Uint8Array };
const PICTURE_HEADERS = { "Content-Security-Policy": "default-src 'none'; sandbox", "Cross-Origin-Resource-Policy": "same-origin" };

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
export async function pageRefusal(error: OAuthError, endpoint: string, { app, caller, frame }: Failing): Promise<Response> {
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
  const wantsPage = request.headers.get("accept")?.includes("text/html") && !/^\/(api|trpc|\.well-known)(\/|$)/.test(pathname);
  if (!wantsPage) {
    const body = { error: "not_found", error_description: "There is nothing at this address." };
    return json(body, { status: 404, headers: CORS }); // BB-05: without them a page takes a wrong URL for a network error
  }
  const { errors } = frame.texts;
  const content = (
    <MessagePage frame={frame} title={errors.notFound} action={{ label: errors.home, href: "/" }}>
      {errors.notFoundText}
    </MessagePage>
  );
  return page(content, { status: 404 });
}
