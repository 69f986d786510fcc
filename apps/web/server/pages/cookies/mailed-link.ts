import { constantTimeEqual, cookie, cookieName, readCookie, sha256 } from "@gatehouse/auth";
import type { Visit } from "../../routing/visit.ts";
import { outOfDate } from "../responses/errors.tsx";
import { seeOther } from "../responses/respond.ts";

const COOKIE = "link";
const COOKIE_SECONDS = 30 * 60;

/**
 * The first step of every page that a mailed link opens: if the URL has a token, moves it into a cookie and redirects
 * to the page without it, so that it is in no history, log or `Referer`. Undefined if there is none. Changes nothing in
 * the database, however often a mail scanner calls it. FP-02.
 */
export function takeMailedLink({ url, app }: Pick<Visit, "url" | "app">): Response | undefined {
  const secret = url.searchParams.get("token");
  if (secret === null) return undefined;
  const valid = /^[\w-]{1,128}$/.test(secret);
  return seeOther(url.pathname, {
    cookies: [
      cookie(cookieName(COOKIE, app.deps.config), valid ? secret : "", app.deps.config, valid ? COOKIE_SECONDS : 0),
    ],
  });
}

/** The token of the link that this browser opened last, for `openMailedLink`. */
export function mailedLinkSecret({ request, app }: Pick<Visit, "request" | "app">): string | undefined {
  return readCookie(request.headers.get("cookie"), cookieName(COOKIE, app.deps.config)) || undefined;
}

/**
 * Call before a form of such a page acts. The response that refuses it if this browser has opened another link since:
 * any site can make it open one, and the form must act on the link that its page showed. The hidden field `link` has
 * the hash of that link's token. FP-02.
 */
export function refuseOtherLink(visit: Visit): Response | undefined {
  const secret = mailedLinkSecret(visit);
  return secret === undefined || constantTimeEqual(sha256(secret), visit.form.get("link") ?? "")
    ? undefined
    : outOfDate(visit);
}

/** `Set-Cookie` for when the link is used up. */
export function forgetMailedLink({ app }: Pick<Visit, "app">): string {
  return cookie(cookieName(COOKIE, app.deps.config), "", app.deps.config, 0);
}
