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

/** Where a sign-in leads, out of a query or a form. A `next` that leaves our origin is dropped (SE-12). */
export function continuationOf(fields: URLSearchParams): Continuation {
  return { request: fields.get("request") || undefined, next: localPath(fields.get("next")) };
}

/** The sign-in form, with the browser's own CSRF token. */
export async function signInPage(visit: Visit, props: Omit<SignInProps, "csrf" | "app" | "signedInAs">, status = 200): Promise<Response> {
  const { token, setCookie } = csrfToken(visit.request.headers.get("cookie"), undefined, visit.app.deps);
  return page(
    <SignInPage {...props} csrf={token} app={await appNameOf(props.continuation, visit)} signedInAs={visit.session?.user.email} />,
    { status, cookies: [setCookie] },
  );
}

/** The sign-up form, likewise. */
export async function signUpPage(visit: Visit, props: Omit<SignUpProps, "csrf" | "app">, status = 200): Promise<Response> {
  const { token, setCookie } = csrfToken(visit.request.headers.get("cookie"), undefined, visit.app.deps);
  return page(<SignUpPage {...props} csrf={token} app={await appNameOf(props.continuation, visit)} />, { status, cookies: [setCookie] });
}

/** Who waits for this sign-in; undefined when nobody does. */
async function appNameOf({ request }: Continuation, { app }: Visit): Promise<string | undefined> {
  return request === undefined ? undefined : (await describePendingRequest(request, app.deps))?.applicationName;
}

/** A new session, in place of the one the browser may have had (SE-07), in a browser that is known to the account from now on. */
export async function beginSession(user: User, { request, app, caller }: Visit): Promise<{ session: Session; cookies: string[] }> {
  const header = request.headers.get("cookie");
  const previous = readCookie(header, sessionCookieName(app.deps.config));
  const previousHash = previous === undefined ? undefined : sha256(previous);
  const userAgent = request.headers.get("user-agent");
  const { session, secret } = await startSession({ user, previousHash, userAgent, address: caller.address }, app.deps);
  return { session, cookies: [sessionCookie(secret, app.deps.config), ...rememberBrowser(user, header, app.deps)] };
}

/** On to where the person was headed: the pending authorization, a page of ours, or the account. */
export async function finish(
  { request, next }: Continuation,
  session: ActiveSession,
  cookies: readonly string[],
  { app, caller }: Visit,
): Promise<Response> {
  if (request === undefined) return seeOther(next ?? "/account", { cookies });
  return withCookies(proceed(await resumeAuthorization(request, session, app.deps, caller)), cookies);
}
