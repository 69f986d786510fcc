import type { Client } from "../clients/client.ts";
import type { Deps } from "../deps.ts";
import { invalidGrant } from "../tokens/grant-status.ts";
import { type TokenResponse, tokenResponse } from "../tokens/issue.ts";
import { type Asked, type FoundToken, successorOf } from "../tokens/refresh-token.ts";

/**
 * Handles a spent token that its client presents again. Within the retry window, with the same scope, resource and key and an unused
 * successor, the response was lost and is repeated. Anything else is reuse and revokes the grant. CF-20, RT-03.
 */
export async function repeatOrRevoke(found: FoundToken, asked: Asked | undefined, client: Client, deps: Deps): Promise<TokenResponse> {
  const now = deps.now();
  const { family, token } = found;
  const rotatedAt = family.rotatedAt ?? now;
  const repeated = asked && now < rotatedAt + client.refreshRetrySeconds ? repeatedResponse(found, asked, deps) : undefined;
  if (repeated) return repeated;

  await deps.store.revokeGrant(family.grantId, "refresh token reused", now);
  throw invalidGrant("refresh_token_reused", "the refresh token was rotated before; everything issued from its grant is revoked", {
    rotatedSecondsAgo: now - rotatedAt,
    rotationsSince: family.generation - token.generation,
  });
}

/** The response of the last rotation: sealed if it has a signature, otherwise derived. Undefined if another token or request led to it. */
function repeatedResponse({ family, token, state }: FoundToken, asked: Asked, deps: Deps): TokenResponse | undefined {
  const { rotatedAt, rotationId, accessExpiresAt, sealedResponse } = family;
  if (state !== "previous" || rotatedAt === null || rotationId === null || accessExpiresAt === null) return undefined;
  const derived = successorOf(token, rotationId, asked, deps.seal);
  if (derived.refreshToken.hash !== family.currentHash) return undefined;
  if (sealedResponse !== null) {
    const opened = derived.open(sealedResponse, deps.random);
    return opened === undefined ? undefined : JSON.parse(opened); // sealed by us, so it has this shape
  }
  const secrets = { accessToken: derived.accessToken.secret, refreshToken: derived.refreshToken.secret };
  return tokenResponse({ ...secrets, scope: asked.scope, dpopJkt: asked.dpopJkt, expiresIn: accessExpiresAt - rotatedAt });
}
