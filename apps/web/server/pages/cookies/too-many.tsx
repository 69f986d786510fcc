/** @jsxImportSource preact */

import type { Frame } from "../../../views/frame.ts";
import { MessagePage } from "../../../views/message.tsx";
import { PAGE_HEADERS } from "../../routing/headers.ts";
import type { App } from "../../start/app.ts";
import { frameOf } from "../frame/frame.ts";
import { htmlOf, json, page } from "../responses/respond.ts";
import { MAX_COOKIE_BYTES } from "./budget.ts";

type Known = Pick<App, "deps" | "env" | "settings">;

/**
 * 431 for a request with more cookies than a domain may have here; undefined for any other. Most are of other sites of
 * the domain, so the page says what its user can do. RFC 6585 §5.
 */
export function refuseCookies(request: Request, app: Known): Response | undefined {
  const cookies = request.headers.get("cookie");
  if (cookies === null || cookies.length <= MAX_COOKIE_BYTES) return undefined;
  if (request.headers.get("accept")?.includes("text/html"))
    return page(content(frameOf({ request, app })), { status: 431 });
  const description = `The Cookie header is longer than ${MAX_COOKIE_BYTES} bytes.`;
  return json({ error: "invalid_request", error_description: description }, { status: 431 });
}

/** The same page for a request that Node does not read, in the installation's language. */
export function unreadableCookies(
  app: Known,
  everywhere: Record<string, string>,
): { body: string; headers: Record<string, string> } {
  const body = htmlOf(content(frameOf({ request: new Request(app.env.issuer), app })));
  return { body, headers: { ...everywhere, ...PAGE_HEADERS, "Content-Type": "text/html; charset=utf-8" } };
}

function content(frame: Frame) {
  const { tooManyCookies, tooManyCookiesText } = frame.texts.errors;
  return (
    <MessagePage frame={frame} title={tooManyCookies}>
      {tooManyCookiesText}
    </MessagePage>
  );
}
