import { type OAuthError, recordRefusal } from "@gatehouse/auth";
import { continuationQuery } from "../../../views/continuation.ts";
import { POLICIES, type Policy, type RoutePath } from "../../routing/policy-table.ts";
import { RequestVisit, type Visit } from "../../routing/visit.ts";
import { backTo } from "../frame/language.ts";
import { pageRefusal } from "../responses/errors.tsx";
import { seeOther, withCookies } from "../responses/respond.ts";
import { continuationOf } from "../sign-in/continuation.ts";
import { signInPage } from "../sign-in/sign-in.tsx";

/** What a form carries to the page that shows it again. No password, no code, and nothing that acts. */
const KEPT = ["request", "next", "email", "user_code", "raise", "recovery", "keep"];

/**
 * The GET of these continues the pending request if nothing is left to ask. So it is a separate request, and the post
 * does nothing.
 */
const GO_ON: readonly RoutePath[] = ["/sign-in/second-step", "/verify-email"];

type Show<Session> = (visit: Visit<Session>) => Response | Promise<Response>;

/**
 * The answer to a form that failed the check of its CSRF token. Its own page again, with 403, a fresh token and the
 * pending request, if the browser only lost the cookies of the form: the form was of our page, so that page is what its
 * user wants, and the post has done nothing. Otherwise the error page. `show` is the GET of the same route. SE-09.
 */
export async function refuseForm<Session>(
  error: OAuthError,
  path: RoutePath,
  visit: RequestVisit,
  sent: URLSearchParams,
  show: Show<Session> | undefined,
): Promise<Response> {
  if (error.refusalCause !== "form_cookies_lost") return pageRefusal(error, path, visit);
  const response = await formAgain(path, visit, sent, show);
  if (!response) return pageRefusal(error, path, visit);
  const errorId = await recordRefusal(error, { endpoint: path, clientId: null }, visit.app.deps, visit.caller);
  response.headers.set("Gatehouse-Error-Id", errorId);
  return response;
}

async function formAgain<Session>(
  path: RoutePath,
  { request, app, caller, session, params, locale }: RequestVisit,
  sent: URLSearchParams,
  show: Show<Session> | undefined,
): Promise<Response | undefined> {
  const policy: Policy = POLICIES[path];
  if (path === "/language") return seeOther(backTo(sent, locale, app));
  if (path === "/sign-out") return seeOther(beforeSignOut(sent));
  if (policy.kind === "page" && policy.form === "upload") return seeOther("/account");

  // The code of a sign-up counts in the browser that asked for it, which this one no longer is.
  if (sent.get("of") === "sign_up")
    return seeOther(`/sign-up${continuationQuery(continuationOf(sent), { email: sent.get("email") ?? "" })}`);

  const url = urlOf(request.url, sent);
  if (GO_ON.includes(path)) return seeOther(url.pathname + url.search);
  const asked = { method: "GET", url: url.href, headers: request.headers } as Request;
  const visit = new RequestVisit({ request: asked, app, caller, session, params });
  visit.frame.problem = visit.texts.errors.cookiesLost;
  if (show) return refused(await show(visit as unknown as Visit<Session>));
  if (policy.kind !== "page" || policy.csrf !== "browser") return undefined;
  return signInPage(visit, { continuation: continuationOf(sent), email: sent.get("email") ?? undefined }, 403);
}

/** The URL of the form's page. */
function urlOf(posted: string, sent: URLSearchParams): URL {
  const url = new URL(posted);
  for (const name of KEPT) {
    const value = sent.get(name);
    if (value) url.searchParams.set(name, value);
  }
  url.searchParams.delete("token"); // opens a mailed link
  return url;
}

/** The page with the button "Not you?". */
function beforeSignOut(sent: URLSearchParams): string {
  const { request, next } = continuationOf(sent);
  return request === undefined ? (next ?? "/account") : `/consent?${new URLSearchParams({ request })}`;
}

/** A page that the browser did not ask for is an error. A redirect or an error stays what it is. */
async function refused(response: Response): Promise<Response> {
  if (response.status !== 200) return response;
  const { headers } = response;
  const cookies = headers.getSetCookie();
  headers.delete("set-cookie");
  return withCookies(new Response(await response.text(), { status: 403, headers }), cookies);
}
