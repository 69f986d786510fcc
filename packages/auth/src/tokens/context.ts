import { type Client, isConfidential } from "../clients/client.ts";
import type { TokenContext } from "../store/access-tokens.ts";

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

/** The context of an access token, bound to the key that the client has proven, if any. RFC 9449 §6, DP-03. */
export function accessTokenContext(
  context: TokenContext | null,
  dpopJkt: string | undefined,
  client: Pick<Client, "options">,
): TokenContext | null {
  const unbound = withoutKey(context);
  return dpopJkt === undefined ? unbound : { ...unbound, dpopJkt, ...(client.options.dpopNonce && { dpopNonce: true }) };
}

/** The context of a refresh token. Bound to the key only for public clients; confidential ones authenticate on each use. RFC 9449 §5. */
export function refreshTokenContext(context: TokenContext | null, dpopJkt: string | undefined, client: Client): TokenContext | null {
  return accessTokenContext(context, isConfidential(client) ? undefined : dpopJkt, client);
}

/** The context without nonce, which is for the first ID token only. OpenID Connect Core §12.2, RT-11. */
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
