import { ENVIRONMENTS } from "../clients/client.ts";
import { refuse } from "../errors/refuse.ts";
import { BEARER_HEADERS, requireBearer } from "../guard/bearer.ts";
import { type Endpoint, methodNotAllowed, preflight } from "../http/endpoint.ts";
import { personalClaims } from "../tokens/id-token.ts";

const PATH = "/userinfo";
const ALLOW = "GET, HEAD, POST, OPTIONS";

/**
 * GET and POST /userinfo: the claims about the user of an access token with the scope `openid`. OpenID Connect Core
 * §5.3; OI-05.
 */
export const userinfo: Endpoint = async (request, deps, caller) => {
  if (request.method === "OPTIONS") return preflight("GET, POST");
  if (!["GET", "HEAD", "POST"].includes(request.method)) {
    return refuse(methodNotAllowed(request, ALLOW), { endpoint: PATH, clientId: null }, deps, caller, BEARER_HEADERS);
  }
  // Any environment: a client learns who signed in to it, as from its ID token, and no product data.
  const bearer = await requireBearer(request, { scope: "openid", environments: ENVIRONMENTS }, deps, caller);
  if (!bearer.ok) return bearer.response;
  const { userId, user, scope } = bearer.token;
  const claims = { sub: userId, ...(user && personalClaims(scope, user, deps.config)) };
  return new Response(JSON.stringify(claims), { headers: { ...BEARER_HEADERS, "Content-Type": "application/json" } });
};
