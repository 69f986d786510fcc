import { scopeTokens } from "@gatehouse/guard";
import { authenticateClient } from "../clients/authentication.ts";
import { type Client, isConfidential } from "../clients/client.ts";
import { CLIENT_PARAMETERS, invalidClient } from "../clients/credentials.ts";
import { PREFIX, storageHash } from "../crypto/secret.ts";
import type { Deps } from "../deps.ts";
import { formEndpoint } from "../http/endpoint.ts";
import { acceptedEnvironments } from "../resources/registry.ts";
import { exchangeChainIsLive } from "../tokens/exchange-chain.ts";
import { grantProblem } from "../tokens/grant-status.ts";
import { contextClaims, looksLikeJwt, subjectOf } from "../tokens/jwt-access-token.ts";
import { findRefreshToken } from "../tokens/refresh-token.ts";
import { visibilityProblem } from "../tokens/visibility.ts";

const PARAMETERS = [...CLIENT_PARAMETERS, "token", "token_type_hint"];
/** The same response for an unknown, an inactive and a foreign token. IN-02. */
const INACTIVE = { active: false };

/**
 * POST /introspect. RFC 7662. For the client of the token, and for a resource server that serves the token's resource.
 * IN-01, IN-03, IN-04; BB-04: no CORS.
 */
export const introspect = formEndpoint({ path: "/introspect", parameters: PARAMETERS, cors: false }, async (posted) => {
  const { form, deps } = posted;
  const client = await authenticateClient(posted);
  if (!isConfidential(client) && !deps.exemption) {
    throw invalidClient("secret_missing", "a public client cannot authenticate, so it may not introspect");
  }
  const token = form.required("token");
  if (token.startsWith(PREFIX.refreshToken)) return introspectRefreshToken(token, client, deps);
  if (token.startsWith(PREFIX.accessToken) || looksLikeJwt(token)) return introspectAccessToken(token, client, deps);
  return INACTIVE;
});

async function introspectAccessToken(token: string, client: Client, deps: Deps): Promise<object> {
  const { store, config, now } = deps;
  const found = await store.findAccessToken(storageHash(token));
  if (!found || found.revokedAt !== null || found.expiresAt <= now() || grantProblem(found)) return INACTIVE;
  if (deps.exemption && found.context?.exemption !== deps.exemption.id) return INACTIVE; // CO-40
  if (found.context?.subjectTokens !== undefined && !(await exchangeChainIsLive(found, store, now()))) return INACTIVE;
  if (visibilityProblem(found, client, config)) return INACTIVE; // IN-05, D22
  const own = found.clientId === client.clientId;
  const environments = await acceptedEnvironments(found.audience, deps);
  if (!environments || !(own || environments.includes(found.environment))) return INACTIVE; // D22
  return {
    active: true,
    scope: found.scope,
    client_id: found.clientId,
    // The address is what the scope `email` is for, here as at the userinfo endpoint. OI-05
    ...(found.user && scopeTokens(found.scope).includes("email") && { username: found.user.email }),
    token_type: found.context?.dpopJkt === undefined ? "Bearer" : "DPoP",
    ...(found.context?.dpopJkt !== undefined && { cnf: { jkt: found.context.dpopJkt } }),
    ...contextClaims(found.context),
    exp: found.expiresAt,
    iat: found.issuedAt,
    sub: subjectOf(found),
    aud: found.audience,
    iss: config.issuer,
    jti: found.id,
    environment: found.environment,
  };
}

/** IN-05: only its own client can introspect a refresh token. */
async function introspectRefreshToken(token: string, client: Client, deps: Deps): Promise<object> {
  const found = await findRefreshToken(token, deps);
  if (found?.state !== "current" || found.family.clientId !== client.clientId) return INACTIVE;
  const { family } = found;
  const { config, now, exemption } = deps;
  if (grantProblem({ ...family, clientEnabled: client.enabled })) return INACTIVE;
  if (exemption && family.context?.exemption !== exemption.id) return INACTIVE; // CO-40
  const exp = Math.min(family.expiresAt, family.absoluteExpiresAt);
  if (exp <= now()) return INACTIVE;
  return {
    active: true,
    scope: family.scope,
    client_id: family.clientId,
    exp,
    iat: family.rotatedAt ?? family.createdAt,
    sub: family.userId,
    aud: family.audience,
    iss: config.issuer,
  };
}
