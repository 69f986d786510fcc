import { upstreamSignOut } from "@gatehouse/accounts";
import {
  askLogoutAgain,
  clearSessionCookie,
  confirmLogout,
  csrfToken,
  type LogoutDestination,
  type LogoutStep,
  MAX_QUERY_LENGTH,
  type OAuthError,
  recordRefusal,
  redirectHost,
  requestLogout,
  verifyCsrf,
} from "@gatehouse/auth";
import type { Frame } from "../../../views/frame.ts";
import { ConfirmLogoutPage, LogoutExpiredPage, SignedOutPage } from "../../../views/logout.tsx";
import { AlsoSignOutPage } from "../../../views/signed-out.tsx";
import type { Visit } from "../../routing/visit.ts";
import { readForm } from "../forms/form.ts";
import { pageRefusal } from "../responses/errors.tsx";
import { page, seeOther } from "../responses/respond.ts";

/** Ends the session, or asks first. */
export async function showLogout(visit: Visit): Promise<Response> {
  const { url, session, app, caller } = visit;
  const step = await requestLogout(url.searchParams, session, app.deps, caller);
  return step.kind === "done" ? signedOut(step.after, visit) : question(step, visit);
}

function question(
  step: Extract<LogoutStep, { kind: "confirm" }>,
  { request, session, app, frame }: Visit,
  status = 200,
): Response {
  const { token, setCookie } = csrfToken(request.headers.get("cookie"), session, app.deps);
  return page(ConfirmLogoutPage({ frame, ...step, csrf: token, email: session?.user.email }), {
    status,
    cookies: [setCookie],
  });
}

/**
 * A cross-site form comes without cookies, so it is redirected to the GET. Only the confirmation form has a sealed
 * request.
 */
export async function submitLogout(visit: Visit): Promise<Response> {
  const { request, session, app, frame } = visit;
  const form = await readForm(request);
  const sealed = form.get("request");
  if (sealed === null) return toQuestion(form, visit);
  const forged = session && verifyCsrf(request, form, session, app.deps);
  if (forged) return (await questionAgain(forged, sealed, visit)) ?? pageRefusal(forged, "/logout", visit);
  const after = await confirmLogout(sealed, session, app.deps);
  return after ? signedOut(after, visit) : page(LogoutExpiredPage({ frame }), { status: 400 });
}

/** The form is from our page, but the browser has another session now. SE-09. */
async function questionAgain(error: OAuthError, sealed: string, visit: Visit): Promise<Response | undefined> {
  const { session, app, caller, frame } = visit;
  if (error.refusalCause !== "form_cookies_lost" || !session) return undefined;
  const step = await askLogoutAgain(sealed, session, app.deps);
  if (!step) return undefined;
  await recordRefusal(error, { endpoint: "/logout", clientId: null }, app.deps, caller);
  frame.problem = frame.texts.errors.cookiesLost;
  return question(step, visit, 403);
}

/** A request that is too long for a URL is recorded here, and the GET asks without it. */
async function toQuestion(form: URLSearchParams, { app, caller }: Visit): Promise<Response> {
  const query = form.toString();
  if (query.length <= MAX_QUERY_LENGTH) return seeOther(query === "" ? "/logout" : `/logout?${query}`);
  await requestLogout(form, undefined, app.deps, caller);
  return seeOther("/logout");
}

/** With a session that came from a provider, offers to sign out there before the browser continues. UP-12. */
async function signedOut(after: LogoutDestination, { session, app, frame }: Visit): Promise<Response> {
  const cookies = [clearSessionCookie(app.deps.config)];
  const upstream = session?.session.upstream;
  const provider = upstream ? await upstreamSignOut(upstream, app.deps) : undefined;
  if (provider) return page(AlsoSignOutPage({ frame, provider, ...onwardsTo(after, frame) }), { cookies });
  if (after.kind === "redirect") return seeOther(after.to, { cookies });
  return page(SignedOutPage({ frame, leave: after.kind === "leave" ? after : undefined }), { cookies });
}

function onwardsTo(after: LogoutDestination, { texts: { errors, logout } }: Frame) {
  if (after.kind === "stay") return { onwards: { label: logout.signInAgain, href: "/sign-in" } };
  const onwards = { label: errors.continueTo(redirectHost(after.to)), href: after.to };
  return after.kind === "leave" ? { onwards, note: logout.unverified } : { onwards };
}
