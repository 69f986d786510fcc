import { type Client, isConfidential } from "../clients/client.ts";
import type { Hash } from "../crypto/secret.ts";

/**
 * What a code or token carries besides scope and audience: how and when its user signed in, and the key it is bound to.
 * Left out where there is nothing to say, and null where there is nothing at all.
 */
export type TokenContext = {
  /** Unix seconds of the sign-in. OpenID Connect Core §2. */
  authTime?: number;
  /** Authentication context and methods. RFC 8176, RFC 9470. */
  acr?: string;
  amr?: string[];
  /** Public id of the session: `sid` in id and logout tokens. */
  sessionId?: string;
  /** From the authorization request; for the id token. */
  nonce?: string;
  /** Thumbprint of the key that must prove possession. RFC 9449 §6. */
  dpopJkt?: string;
  /** Proofs for it need a nonce of ours. RFC 9449 §9. */
  dpopNonce?: boolean;
  /** Who acts for the subject after a token exchange. RFC 8693 §4.1. */
  actor?: { sub: string; actor?: TokenContext["actor"] };
  /** Hashes of the token it was exchanged for, of the one before that, and so on: it stands only while all of them do. RFC 8693 §2.1. */
  subjectTokens?: Hash[];
};

/**
 * What introspection and JWTs say of a context: when and how the user signed in, and who acts for them. RFC 9470 §6.2,
 * RFC 8693 §4.1. The key it is bound to is said by whoever speaks of the token's type.
 */
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

/** What an access token carries once its client has proven a key; the same as before when it has not. RFC 9449 §6. */
export function accessTokenContext(
  context: TokenContext | null,
  dpopJkt: string | undefined,
  client: Pick<Client, "options">,
): TokenContext | null {
  const unbound = withoutKey(context);
  return dpopJkt === undefined ? unbound : { ...unbound, dpopJkt, ...(client.options.dpopNonce && { dpopNonce: true }) };
}

/** What a refresh token carries: the key too for public clients; confidential ones authenticate each time they use it. RFC 9449 §5. */
export function refreshTokenContext(context: TokenContext | null, dpopJkt: string | undefined, client: Client): TokenContext | null {
  return accessTokenContext(context, isConfidential(client) ? undefined : dpopJkt, client);
}

/** What outlives the code: the nonce is for the first id token alone. OpenID Connect Core §12.2, RT-11. */
export function withoutNonce(context: TokenContext | null): TokenContext | null {
  if (context?.nonce === undefined) return context;
  const { nonce: _, ...rest } = context;
  return Object.keys(rest).length > 0 ? rest : null;
}

function withoutKey(context: TokenContext | null): TokenContext | null {
  if (context?.dpopJkt === undefined) return context;
  const { dpopJkt: _key, dpopNonce: _nonce, ...rest } = context;
  return Object.keys(rest).length > 0 ? rest : null;
}
