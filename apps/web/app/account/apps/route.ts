import type { ActiveSession } from "@gatehouse/auth";
import { listConnectedApps, revokeConnectedApp } from "@gatehouse/console/users/connected-apps";
import { recordActivity } from "@gatehouse/console/users/profile";
import { accountFrame } from "../../../server/pages/account/frame.ts";
import { sourceOf } from "../../../server/pages/account/request.ts";
import { page, seeOther } from "../../../server/pages/responses/respond.ts";
import { route, type Visit } from "../../../server/routing/route.ts";
import { AppsPage } from "../../../views/account/apps.tsx";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route("/account/apps", { GET: show, POST: revoke });

async function show(visit: Visit<ActiveSession>): Promise<Response> {
  const { session, app } = visit;
  const [account, apps] = await Promise.all([
    accountFrame(visit, visit.texts.apps.notices),
    listConnectedApps(session.user.id, app.deps),
  ]);
  return page(AppsPage({ ...account, apps, now: app.deps.now() }));
}

async function revoke(visit: Visit<ActiveSession>): Promise<Response> {
  const { form, session, app } = visit;
  await revokeConnectedApp(session.user.id, form.get("client_id") ?? "", app.deps);
  await recordActivity("app_disconnected", { userId: session.user.id, source: sourceOf(visit) }, app.deps);
  return seeOther("/account/apps?notice=app_revoked");
}
