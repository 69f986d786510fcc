import { type ActiveSession, decideConsent, openConsent, refuseExpiredRequest } from "@gatehouse/auth";
import { authorizationResponse } from "../../server/pages/authorization/respond.tsx";
import { sessionCsrf } from "../../server/pages/forms/csrf.ts";
import { withBrand } from "../../server/pages/frame/brand.ts";
import { page } from "../../server/pages/responses/respond.ts";
import { route, type Visit } from "../../server/routing/route.ts";
import { ConsentPage } from "../../views/consent.tsx";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route("/consent", { GET: ask, POST: decide });

async function ask(visit: Visit<ActiveSession>): Promise<Response> {
  const { url, session, app, caller, frame } = visit;
  const request = url.searchParams.get("request") ?? "";
  const view = await openConsent(request, session, app.deps);
  if (!view) return authorizationResponse(await refuseExpiredRequest(request, app.deps, caller), frame);
  const branded = await withBrand(frame, view.client.clientId, app.deps);
  return page(ConsentPage({ frame: branded, view, csrf: sessionCsrf(visit), email: session.user.email }));
}

/**
 * Only the button decides, and only the sealed request says what is granted (AZ-31, SE-09), also after a sign-in at a
 * provider (SE-16).
 */
async function decide({ form, session, app, caller, frame }: Visit<ActiveSession>): Promise<Response> {
  const decision = form.get("decision") === "allow" ? "allow" : "deny";
  return authorizationResponse(
    await decideConsent(form.get("request") ?? "", decision, session, app.deps, caller),
    frame,
  );
}
