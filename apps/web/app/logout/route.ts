import { clearSessionCookie, confirmLogout, csrfToken, type LogoutDestination, requestLogout, verifyCsrf } from "@gatehouse/auth";
import { readForm } from "../../server/pages/form.ts";
import { page, pageRefusal, seeOther } from "../../server/pages/respond.tsx";
import { route, type Visit } from "../../server/routing/route.ts";
import type { App } from "../../server/start/app.ts";
import { ConfirmLogoutPage, LogoutExpiredPage, SignedOutPage } from "../../views/logout.tsx";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route("/logout", { GET: ask, POST: act });

async function ask({ request: { headers }, url, session, app }: Visit): Promise<Response> {
  const step = await requestLogout(url.searchParams, session, app.deps);
  if (step.kind === "done") return signedOut(step.after, app);
  const { token, setCookie } = csrfToken(headers.get("cookie"), session, app.deps);
  return page(ConfirmLogoutPage({ ...step, csrf: token, email: session?.user.email }), { cookies: [setCookie] });
}

/** A cross-site form comes without cookies, so it is redirected to the GET. Only the confirmation form has a sealed request. */
async function act({ request, session, app, caller }: Visit): Promise<Response> {
  const form = await readForm(request);
  const sealed = form.get("request");
  if (sealed === null) {
    await requestLogout(form, undefined, app.deps); // reports an invalid request at once
    return seeOther(`/logout?${form}`);
  }
  const forged = session && verifyCsrf(request, form, session, app.deps);
  if (forged) return pageRefusal(forged, "/logout", app, caller);
  const after = await confirmLogout(sealed, session, app.deps);
  return after ? signedOut(after, app) : page(LogoutExpiredPage(), { status: 400 });
}

function signedOut(after: LogoutDestination, app: App): Response {
  const cookies = [clearSessionCookie(app.deps.config)];
  if (after.kind === "redirect") return seeOther(after.to, { cookies });
  return page(SignedOutPage({ leave: after.kind === "leave" ? after : undefined }), { cookies });
}
