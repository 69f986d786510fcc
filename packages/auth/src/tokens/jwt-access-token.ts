import type { SigningAlgorithm } from "../clients/options.ts";
import { type Hash, mintTimeOrderedId, storageHash } from "../crypto/secret.ts";
import { signJwt } from "../crypto/signing-keys.ts";
import type { Deps } from "../deps.ts";
import type { AccessToken, TokenContext } from "../store/access-tokens.ts";

/** The `typ` of a JWT access token, which keeps ID tokens apart. RFC 9068 §2.1. */
const ACCESS_TOKEN_TYPE = "at+jwt";

/**
 * Mints an access token that its API can verify by itself. Its row is stored like any other, so introspection and the
 * guard see a revocation at once. RFC 9068 §2.2, JT-01, JT-03.
 */
export async function mintJwtAccessToken(
  row: Omit<AccessToken, "hash" | "id" | "revokedAt">,
  algorithm: SigningAlgorithm,
  deps: Pick<Deps, "config" | "now" | "random" | "seal" | "store">,
): Promise<{ secret: string; hash: Hash; id: string }> {
  const id = mintTimeOrderedId(deps);
  const dpopJkt = row.context?.dpopJkt;
  const claims = {
    // First, since `storageHash` reads them there.
    exp: row.expiresAt,
    jti: id,
    iss: deps.config.issuer,
    sub: subjectOf(row),
    aud: row.audience,
    client_id: row.clientId,
    iat: row.issuedAt,
    environment: row.environment,
    ...(row.scope !== "" && { scope: row.scope }),
    ...contextClaims(row.context),
    ...(dpopJkt !== undefined && { cnf: { jkt: dpopJkt } }),
  };
  const secret = await signJwt({ typ: ACCESS_TOKEN_TYPE, claims, algorithm }, deps);
  return { secret, hash: storageHash(secret), id };
}

/** The claims of a context for introspection and JWTs, without the bound key (`cnf`). RFC 9470 §6.2, RFC 8693 §4.1. */
export function contextClaims(context: TokenContext | null): Record<string, unknown> {
  const { authTime, acr, amr, actor } = context ?? {};
  return {
    ...(authTime !== undefined && { auth_time: authTime }),
    ...(acr !== undefined && { acr }),
    ...(amr !== undefined && { amr }),
    ...(actor && { act: actorClaim(actor) }),
  };
}

function actorClaim({ sub, actor }: NonNullable<TokenContext["actor"]>): object {
  return { sub, ...(actor && { act: actorClaim(actor) }) };
}

/** Could this be a JWT? Each starts with a base64url JSON object. */
export function looksLikeJwt(token: string): boolean {
  return token.startsWith("eyJ");
}

/** The subject of a token: its user, or `client:<client_id>` without one. No user id contains a colon. CC-04. */
export function subjectOf(token: { userId: string | null; clientId: string }): string {
  return token.userId ?? `client:${token.clientId}`;
}
