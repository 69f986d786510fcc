import { accountEvent } from "@gatehouse/accounts";
import type { ActiveSession } from "@gatehouse/auth";
import { sourceOf } from "../../../../server/pages/account/request.ts";
import { seeOther } from "../../../../server/pages/responses/respond.ts";
import { route, type Visit } from "../../../../server/routing/route.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route("/account/security/browsers", {
  GET: () => seeOther("/account/security"),
  POST: forget,
});

async function forget(visit: Visit<ActiveSession>): Promise<Response> {
  const { form, session, app } = visit;
  const { id: userId } = session.user;
  const events = [accountEvent("browser_forgotten", { userId, source: sourceOf(visit) }, app.deps)];
  await app.deps.people.forgetBrowser(userId, form.get("id") ?? "", { events }, app.deps.now());
  return seeOther("/account/security?notice=browser_forgotten");
}
