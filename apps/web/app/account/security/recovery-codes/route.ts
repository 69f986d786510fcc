import { canTakeSecondStep, replaceRecoveryCodes } from "@gatehouse/accounts";
import type { ActiveSession } from "@gatehouse/auth";
import { accountFrame } from "../../../../server/pages/account/frame.ts";
import { actingBrowser } from "../../../../server/pages/account/request.ts";
import { page, seeOther } from "../../../../server/pages/responses/respond.ts";
import { requireFreshSignIn } from "../../../../server/pages/sign-in/confirm.tsx";
import { route, type Visit } from "../../../../server/routing/route.ts";
import { RecoveryCodesPage } from "../../../../views/account/security/authenticator.tsx";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route("/account/security/recovery-codes", {
  GET: () => seeOther("/account/security"),
  POST: make,
});

async function make(visit: Visit<ActiveSession>): Promise<Response> {
  const confirm = await requireFreshSignIn(visit);
  if (confirm) return confirm;
  const { session, app } = visit;
  if (!canTakeSecondStep(await app.deps.store.findEnrolment(session.user.id))) return seeOther("/account/security");
  const codes = await replaceRecoveryCodes(session.user, actingBrowser(visit), app.deps);
  if (!codes) return seeOther("/account/security?notice=changed");
  return page(RecoveryCodesPage({ ...(await accountFrame(visit)), codes, next: "/account/security" }));
}
