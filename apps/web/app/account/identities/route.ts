import { disconnectIdentity } from "@gatehouse/accounts";
import type { ActiveSession } from "@gatehouse/auth";
import { accountRequest } from "../../../server/pages/account/request.ts";
import { rotated } from "../../../server/pages/cookies/session.ts";
import { seeOther } from "../../../server/pages/responses/respond.tsx";
import { requireSudo } from "../../../server/pages/sign-in/confirm.tsx";
import { lastWayInPage } from "../../../server/pages/sign-in/provider/callback.tsx";
import { goToProviderSignedIn } from "../../../server/pages/sign-in/provider/departure.tsx";
import { route, type Visit } from "../../../server/routing/route.ts";

const SECURITY = "/account/security";

// After a confirmation, the browser may come back with a GET.
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route("/account/identities", {
  GET: () => seeOther(SECURITY),
  POST: change,
});

async function change(visit: Visit<ActiveSession>): Promise<Response> {
  const confirm = await requireSudo(visit);
  if (confirm) return confirm;
  const [connect, remove] = [visit.form.get("connect"), visit.form.get("remove")];
  if (connect !== null) return goToProviderSignedIn(connect, { purpose: "connect", next: SECURITY }, visit);
  return remove === null ? seeOther(SECURITY) : disconnect(remove, visit);
}

async function disconnect(id: string, visit: Visit<ActiveSession>): Promise<Response> {
  const { session, app } = visit;
  const removal = { userId: session.user.id, id, sessionId: session.session.id };
  const removed = await disconnectIdentity(removal, accountRequest(visit), app.deps);
  if (removed === "last_way_in") return lastWayInPage(visit);
  const cookies = removed === "removed" ? await rotated(session, app) : []; // §7
  return seeOther(`${SECURITY}?notice=identity_${removed}`, { cookies });
}
