import { type ActiveSession, endSessionById } from "@gatehouse/auth";
import { revokeAllSessions } from "@gatehouse/console/sessions/sessions";
import { listConnectedApps } from "@gatehouse/console/users/connected-apps";
import { recordActivity } from "@gatehouse/console/users/profile";
import { SessionsPage } from "../../../views/account/sessions.tsx";
import type { Visit } from "../../routing/visit.ts";
import { page, seeOther } from "../responses/respond.ts";
import { requireFreshSignIn } from "../sign-in/confirm.tsx";
import { accountFrame } from "./frame.ts";
import { sourceOf } from "./request.ts";

/** Where the user is signed in. SN-01. */
export async function showSessions(visit: Visit<ActiveSession>): Promise<Response> {
  const { session, app } = visit;
  const { store, now } = app.deps;
  const userId = session.user.id;
  const [account, sessions, apps] = await Promise.all([
    accountFrame(visit, visit.texts.sessions.notices),
    store.listSessions(userId, now()),
    listConnectedApps(userId, app.deps),
  ]);
  const providers = Object.fromEntries((await app.deps.people.listSignInProviders()).map(({ id, name }) => [id, name]));
  const props = {
    sessions,
    placeOf: app.placeOf,
    currentSessionId: session.session.id,
    providers,
    hasApps: apps.length > 0,
    now: now(),
  };
  return page(SessionsPage({ ...account, ...props }));
}

/** Ends one session, or all others. SN-01. */
export async function submitSessions(visit: Visit<ActiveSession>): Promise<Response> {
  const { form, session, app } = visit;
  const userId = session.user.id;
  if (form.get("action") === "revoke_session") {
    const ended = await endSessionById(userId, form.get("session_id") ?? "", app.deps);
    if (ended) await recordActivity("session_ended", { userId, source: sourceOf(visit) }, app.deps);
    return seeOther("/account/sessions?notice=session_ended");
  }
  if (form.get("action") !== "revoke_other_sessions") return seeOther("/account/sessions");
  const confirm = await requireFreshSignIn(visit);
  if (confirm) return confirm;
  const apps = form.get("apps") === "on";
  await revokeAllSessions({ userId, keep: session.session.id, apps }, app.deps);
  await recordActivity("sessions_ended", { userId, source: sourceOf(visit) }, app.deps);
  return seeOther(`/account/sessions?notice=${apps ? "all_ended" : "others_ended"}`);
}
