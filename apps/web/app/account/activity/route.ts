import type { ActiveSession } from "@gatehouse/auth";
import { listActivity } from "@gatehouse/console/users/profile";
import { accountFrame } from "../../../server/pages/account/frame.ts";
import { page } from "../../../server/pages/responses/respond.ts";
import { route, type Visit } from "../../../server/routing/route.ts";
import { ActivityPage } from "../../../views/account/activity.tsx";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route("/account/activity", { GET: show });

async function show(visit: Visit<ActiveSession>): Promise<Response> {
  const { url, session, app } = visit;
  const before = url.searchParams.get("before")?.slice(0, 64) || undefined;
  const [account, activity] = await Promise.all([
    accountFrame(visit),
    listActivity({ userId: session.user.id, before }, app.deps),
  ]);
  return page(ActivityPage({ ...account, ...activity, isFirst: before === undefined, now: app.deps.now() }));
}
