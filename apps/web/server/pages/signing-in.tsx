/** @jsxImportSource hono/jsx */
import {
  type ActiveSession,
  csrfToken,
  describePendingRequest,
  localPath,
  readCookie,
  resumeAuthorization,
  type Session,
  sessionCookie,
  sessionCookieName,
  sha256,
  startSession,
  type User,
} from "@gatehouse/auth";
import { type Continuation, SignInPage, type SignInProps } from "../../views/sign-in.tsx";
import { SignUpPage, type SignUpProps } from "../../views/sign-up.tsx";
import type { Visit } from "../routing/route.ts";
import { rememberBrowser } from "./known-browser.ts";
import { proceed } from "./proceed.tsx";
import { page, seeOther, withCookies } from "./respond.tsx";

/** Reads where a sign-in continues from a query or a form. A `next` on another origin is dropped (SE-12). */
export function continuationOf(fields: URLSearchParams): Continuation {
  return { request: fields.get("request") || undefined, next: localPath(fields.get("next")) };
}

/** The sign-in page, with a CSRF token that is bound to the browser. */
export async function signInPage(visit: Visit, props: Omit<SignInProps, "csrf" | "app" | "signedInAs">, status = 200): Promise<Response> {
  const { token, setCookie } = csrfToken(visit.request.headers.get("cookie"), undefined, visit.app.deps);
  return page(
    <SignInPage {...props} csrf={token} app={await appNameOf(props.continuation, visit)} signedInAs={visit.session?.user.email} />,
    { status, cookies: [setCookie] },
  );
}

/** The sign-up page, with a CSRF token that is bound to the browser. */
export async function signUpPage(visit: Visit, props: Omit<SignUpProps, "csrf" | "app">, status = 200): Promise<Response> {
  const { token, setCookie } = csrfToken(visit.request.headers.get("cookie"), undefined, visit.app.deps);
  return page(<SignUpPage {...props} csrf={token} app={await appNameOf(props.continuation, visit)} />, { status, cookies: [setCookie] });
}

/** The name of the app that the user signs in to; undefined when there is none. */
async function appNameOf({ request }: Continuation, { app }: Visit): Promise<string | undefined> {
  return request === undefined ? undefined : (await describePendingRequest(request, app.deps))?.applicationName;
}

/** Starts a session, replaces the earlier one of the browser (SE-07), and marks the browser as known to the account. */
export async function beginSession(user: User, { request, app, caller }: Visit): Promise<{ session: Session; cookies: string[] }> {
  const header = request.headers.get("cookie");
  const previous = readCookie(header, sessionCookieName(app.deps.config));
  const previousHash = previous === undefined ? undefined : sha256(previous);
  const userAgent = request.headers.get("user-agent");
  const { session, secret } = await startSession({ user, previousHash, userAgent, address: caller.address }, app.deps);
  return { session, cookies: [sessionCookie(secret, app.deps.config), ...rememberBrowser(user, header, app.deps)] };
}

/** Continues after a sign-in: with the pending authorization request, the local path, or the account page. */
export async function finish(
  { request, next }: Continuation,
  session: ActiveSession,
  cookies: readonly string[],
  { app, caller }: Visit,
): Promise<Response> {
  if (request === undefined) return seeOther(next ?? "/account", { cookies });
  return withCookies(proceed(await resumeAuthorization(request, session, app.deps, caller)), cookies);
}
