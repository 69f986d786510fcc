import type { VNode } from "preact";
import { renderToString } from "preact-render-to-string";
import { loadsOwnScript } from "../../../views/layout.tsx";
import { OWN_SCRIPT_HEADERS, PAGE_HEADERS } from "../../routing/headers.ts";

type Extra = { status?: number; headers?: Record<string, string>; cookies?: readonly (string | undefined)[] };

/** Adds `Set-Cookie` headers. Undefined cookies are left out. */
export function withCookies(response: Response, cookies: Extra["cookies"] = []): Response {
  for (const cookie of cookies) if (cookie !== undefined) response.headers.append("Set-Cookie", cookie);
  return response;
}

/** The whole document. */
export const htmlOf = (content: VNode) => `<!doctype html>${renderToString(content)}`;

/**
 * An HTML response with the headers of every page and the language of the document. A page whose layout loads our
 * script may run it. WA-11.
 */
export function page(content: VNode, { status = 200, headers, cookies }: Extra = {}): Response {
  const html = htmlOf(content);
  return withCookies(new Response(html, { status, headers: { ...headersOfPage(html), ...headers } }), cookies);
}

/** The headers of {@link page}. */
export function headersOfPage(html: string): Record<string, string> {
  const language = /^<!doctype html><html lang="([\w-]+)"/.exec(html)?.[1];
  return {
    ...(loadsOwnScript(html) ? OWN_SCRIPT_HEADERS : PAGE_HEADERS),
    "Content-Type": "text/html; charset=utf-8",
    ...(language && { "Content-Language": language }),
  };
}

/** A redirect with 303. Next's own redirects use 307 and rewrite the URL (NX-01, SE-04). */
export function seeOther(location: string, { headers, cookies }: Omit<Extra, "status"> = {}): Response {
  return withCookies(
    new Response(null, { status: 303, headers: { ...PAGE_HEADERS, Location: location, ...headers } }),
    cookies,
  );
}

/** A JSON response that is not cached. */
export function json(body: unknown, { status = 200, headers }: Extra = {}): Response {
  return new Response(JSON.stringify(body), {
    status,
    headers: { "Content-Type": "application/json", "Cache-Control": "no-store", ...headers },
  });
}
