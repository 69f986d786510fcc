import { authenticateClient } from "../clients/authentication.ts";
import type { Client } from "../clients/client.ts";
import { CLIENT_PARAMETERS } from "../clients/credentials.ts";
import { PREFIX, storageHash } from "../crypto/secret.ts";
import type { Deps } from "../deps.ts";
import { OAuthError } from "../errors/error.ts";
import { formEndpoint } from "../http/endpoint.ts";
import { looksLikeJwt } from "../tokens/jwt-access-token.ts";
import { findRefreshToken } from "../tokens/refresh-token.ts";

const PARAMETERS = [...CLIENT_PARAMETERS, "token", "token_type_hint"];

/**
 * POST /revoke. RFC 7009. The prefix of a token tells its type, so the hint is ignored (RV-01). An unknown or inactive
 * token counts as revoked: 200 (RV-03). Clients authenticate as at the token endpoint (RV-02); pages of any origin can
 * call it (RV-07).
 */
export const revoke = formEndpoint({ path: "/revoke", parameters: PARAMETERS, cors: true }, async (posted) => {
  const { form, deps } = posted;
  const client = await authenticateClient(posted);
  const token = form.required("token");
  if (token.startsWith(PREFIX.refreshToken)) await revokeRefreshToken(token, client, deps);
  else if (token.startsWith(PREFIX.accessToken) || looksLikeJwt(token)) await revokeAccessToken(token, client, deps);
  return {}; // some clients require JSON here
});

/** RV-04, RV-06: revokes the whole grant, with its access tokens; by a spent token as well. */
async function revokeRefreshToken(token: string, client: Client, deps: Deps): Promise<void> {
  const found = await findRefreshToken(token, deps);
  if (!found) return;
  requireOwn(found.family, client);
  await deps.store.revokeGrant(found.family.grantId, "revoked by the client", deps.now());
}

async function revokeAccessToken(token: string, client: Client, deps: Deps): Promise<void> {
  const hash = storageHash(token);
  const found = await deps.store.findAccessToken(hash);
  if (!found) return;
  requireOwn(found, client);
  await deps.store.revokeAccessToken(hash, deps.now());
}

/** CF-21, RV-05, RFC 7009 §2.1: an error, not a silent success. */
function requireOwn(found: { clientId: string }, client: Client): void {
  if (found.clientId === client.clientId) return;
  throw new OAuthError("invalid_grant", "token_of_other_client", "the token was issued to another client", {
    description: "The token was not issued to this client.",
  });
}
