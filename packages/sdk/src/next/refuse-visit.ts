import { NO_STORE, withCookies } from "../cookies/response.ts";
import type { Core } from "../core.ts";
import type { Refusal } from "../refusal/refusal.ts";
import type { Visit } from "./visit.ts";

/**
 * The response of the failure table. An Action that needs a sign-in gets a 303 without `Location`: Next follows
 * `x-action-redirect`, and swallows any other redirect. PK-43, PK-44.
 */
export async function refuseVisit(core: Core, visit: Visit, refusal: Refusal): Promise<Response> {
  const { incoming, request, setCookies } = visit;
  const needsSignIn = refusal.reason === "signed_out" || refusal.reason === "sign_in_too_old";
  if (!needsSignIn || !incoming.headers.has("next-action")) return core.refuse(incoming, refusal, setCookies());
  const demand = refusal.reason === "sign_in_too_old" ? { maxAge: refusal.maxAge, acr: refusal.acr } : {};
  const path = await core.signInPath({ ...demand, returnTo: incoming.url });
  const to = path.slice(request.nextUrl.basePath.length); // Next adds it
  const headers = { ...NO_STORE, "x-action-redirect": `${to};push` };
  return withCookies(new Response(null, { status: 303, headers }), setCookies());
}
