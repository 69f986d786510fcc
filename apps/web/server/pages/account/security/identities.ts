import { disconnectIdentity } from "@gatehouse/accounts";
import type { ActiveSession } from "@gatehouse/auth";
import type { Visit } from "../../../routing/visit.ts";
import { renewSession } from "../../cookies/session.ts";
import { seeOther } from "../../responses/respond.ts";
import { requireFreshSignIn } from "../../sign-in/confirm.tsx";
import { lastWayInPage } from "../../sign-in/provider/callback.tsx";
import { goToProviderSignedIn } from "../../sign-in/provider/departure.tsx";
import { accountRequest } from "../request.ts";

const SECURITY = "/account/security";

/** Connects or disconnects a provider. UP-08. */
export async function submitIdentity(visit: Visit<ActiveSession>): Promise<Response> {
  const confirm = await requireFreshSignIn(visit);
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
  const cookies = removed === "removed" ? (await renewSession({ session, app })).cookies : []; // WE-02
  return seeOther(`${SECURITY}?notice=identity_${removed}`, { cookies });
}
