import { type ActiveSession, csrfToken, endSessionById } from "@gatehouse/auth";
import { ABILITIES, listConnectedApps, revokeAllSessions, revokeConnectedApp } from "@gatehouse/operations";
import { page, seeOther } from "../../server/pages/respond.tsx";
import { route, type Visit } from "../../server/routing/route.ts";
import { AccountPage } from "../../views/account.tsx";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route("/account", { GET: show, POST: act });

/** Messages after an action. The query names one of these, so that a link cannot put its own text on the page. */
const NOTICES: Record<string, string> = {
  app_revoked: "Access revoked.",
  session_ended: "Session ended.",
  others_ended: "You're signed out everywhere else.",
  all_ended: "You're signed out everywhere else, and no apps have access to your account.",
};

async function show({ request, url, session, app }: Visit<ActiveSession>): Promise<Response> {
  const { user } = session;
  const [sessions, apps] = await Promise.all([app.deps.store.listSessions(user.id, app.deps.now()), listConnectedApps(user.id, app.deps)]);
  const props = {
    user,
    currentSessionId: session.session.id,
    sessions,
    apps: apps.map((one) => ({ ...one, scopes: one.scopes.map(({ description }) => description) })),
    csrf: csrfToken(request.headers.get("cookie"), session, app.deps).token,
    now: app.deps.now(),
    notice: NOTICES[url.searchParams.get("notice") ?? ""],
    consoleUrl: ABILITIES[user.role].view ? app.env.adminUrl : undefined,
  };
  return page(AccountPage(props));
}

async function act({ form, session, app }: Visit<ActiveSession>): Promise<Response> {
  const userId = session.user.id;
  switch (form.get("action")) {
    case "revoke_app":
      await revokeConnectedApp(userId, form.get("client_id") ?? "", app.deps);
      return seeOther("/account?notice=app_revoked");
    case "revoke_session":
      await endSessionById(userId, form.get("session_id") ?? "", app.deps);
      return seeOther("/account?notice=session_ended");
    case "revoke_other_sessions": {
      const apps = form.get("apps") === "on";
      await revokeAllSessions({ userId, keep: session.session.id, apps }, app.deps);
      return seeOther(`/account?notice=${apps ? "all_ended" : "others_ended"}`);
    }
    default:
      return seeOther("/account");
  }
}
