import { BEARER_HEADERS, preflight, requireBearer, scopeTokens, subjectOf } from "@gatehouse/auth";
import { wrongMethod } from "../../../server/pages/responses/errors.tsx";
import { route } from "../../../server/routing/route.ts";

/** Frozen, so that our own server checks them once. */
const HEADERS = Object.freeze({ "Content-Type": "application/json", ...BEARER_HEADERS });

/**
 * An example of a protected resource: returns what its access token grants. Copy the call of `requireBearer` for your
 * own.
 */
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route("/api/resource", async (visit) => {
  const { request, app, caller } = visit;
  if (request.method === "OPTIONS") return preflight("GET");
  const bearer = await requireBearer(request, { scope: "api:read" }, app.deps, caller);
  if (!bearer.ok) return bearer.response;
  if (request.method !== "GET" && request.method !== "HEAD")
    return wrongMethod("/api/resource", "GET, HEAD, OPTIONS", visit);
  const { user, clientId, environment, scope, expiresAt } = bearer.token;
  const body = {
    subject: subjectOf(bearer.token),
    // OI-05: the address is what the scope `email` is for.
    email: user && scopeTokens(scope).includes("email") ? user.email : null,
    client_id: clientId,
    environment,
    scope,
    expires_at: expiresAt,
  };
  return new Response(JSON.stringify(body), { headers: HEADERS });
});
