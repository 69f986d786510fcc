import { clearSessionCookie, confirmLogout, csrfToken, type LogoutDestination, requestLogout, verifyCsrf } from "@gatehouse/auth";
import { readForm } from "../../server/pages/form.ts";
import type { Frame } from "../../server/pages/frame.ts";
import { page, pageRefusal, seeOther } from "../../server/pages/respond.tsx";
import { route, type Visit } from "../../server/routing/route.ts";
import type { App } from "../../server/start/app.ts";
import { ConfirmLogoutPage, LogoutExpiredPage, SignedOutPage } from "../../views/logout.tsx";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route("/logout", { GET: ask, POST: act });

async function ask({ request: { headers }, url, session, app, frame }: Visit): Promise<Response> {
  const step = await requestLogout(url.searchParams, session, app.deps);
  if (step.kind === "done") return signedOut(step.after, app, frame);
  const { token, setCookie } = csrfToken(headers.get("cookie"), session, app.deps);
  return page(ConfirmLogoutPage({ frame, ...step, csrf: token, email: session?.user.email }), { cookies: [setCookie] });
}

/** A cross-site form comes without cookies, so it is redirected to the GET. Only the confirmation form has a sealed request. */
async function act(visit: Visit): Promise<Response> {
  const { request, session, app, frame } = visit;
  const form = await readForm(request);
  const sealed = form.get("request");
  if (sealed === null) {
    await requestLogout(form, undefined, app.deps); // reports an invalid request at once
    return seeOther(`/logout?${form}`);
  }
  const forged = session && verifyCsrf(request, form, session, app.deps);
  if (forged) return pageRefusal(forged, "/logout", visit);
  const after = await confirmLogout(sealed, session, app.deps);
  return after ? signedOut(after, app, frame) : page(LogoutExpiredPage({ frame }), { status: 400 });
}

function signedOut(after: LogoutDestination, app: App, frame: Frame): Response {
  const cookies = [clearSessionCookie(app.deps.config)];
  if (after.kind === "redirect") return seeOther(after.to, { cookies });
  return page(SignedOutPage({ frame, leave: after.kind === "leave" ? after : undefined }), { cookies });
}
