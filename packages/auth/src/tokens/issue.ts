import { scopeTokens } from "@gatehouse/guard";
import { type Client, isConfidential } from "../clients/client.ts";
import { idOfHash, type MintedSecret, mintAccessToken, mintTimeOrderedId } from "../crypto/secret.ts";
import type { Deps } from "../deps.ts";
import { lifetimesOf } from "../lifetimes.ts";
import type { Exemption } from "../request-policy.ts";
import { ownApi, type Resource } from "../resources/registry.ts";
import type { TokenContext } from "../store/access-tokens.ts";
import type { NewRefreshFamily, NewTokens } from "../store/refresh-families.ts";
import { type Identity, mintIdToken } from "./id-token.ts";
import { mintJwtAccessToken } from "./jwt-access-token.ts";
import { firstRefreshToken, type Successor } from "./refresh-token.ts";

/** A response of the token endpoint. OAuth 2.1 §3.2.3. Members without a value are absent, never null. TK-08. */
export type TokenResponse = {
  access_token: string;
  /** Only for a token exchange. RFC 8693 §2.2.1. */
  issued_token_type?: string;
  token_type: "Bearer" | "DPoP";
  expires_in: number;
  scope?: string;
  refresh_token?: string;
  id_token?: string;
};

/**
 * What all refresh tokens of a family have: the full scope, and an absolute expiry that rotation does not extend.
 * RT-05, RT-07.
 */
export type RefreshTerms = {
  scope: string;
  /** The authorized resources, space-separated; null is our own API. */
  audience: string | null;
  absoluteExpiresAt: number;
};

/** What to issue, and for whom. */
export type Issue = {
  client: Client;
  /** null when the client acts for itself. */
  owner: { grantId: string; userId: string } | null;
  /** Scope of the access token. */
  scope: string;
  /** Resource of the access token; default our own API. RFC 8707. */
  resource?: Resource;
  /** Set to begin a family of refresh tokens. */
  refresh?: RefreshTerms | undefined;
  /** Set for a rotation: derives its refresh token, and its access token unless that is a JWT. */
  derive?: (accessExpiresAt: number) => Successor;
  /** Context of both tokens. */
  context?: TokenContext | null;
  /** Set to issue an ID token too. OI-01, OI-02. */
  identity?: Identity | undefined;
  /** Thumbprint of the key that the client has proven. RFC 9449 §5. */
  dpopJkt?: string | undefined;
  /** Latest expiry of the access token, Unix seconds. */
  notAfter?: number;
  /** The exemption that it is issued under; default that of the request. It limits both tokens. CO-30, CO-42. */
  exemption?: Exemption | undefined;
};

/** The response, and the tokens to write before sending it. */
export type Minted = { response: TokenResponse; tokens: NewTokens; successor: Successor | undefined };

/**
 * The terms of a refresh token; undefined when the client gets none. With `openid`, only `offline_access` brings one.
 * AC-08, OI-06.
 */
export function refreshTerms(
  client: Client,
  { scope, audience }: Pick<RefreshTerms, "scope" | "audience">,
  now: number,
): RefreshTerms | undefined {
  if (!client.grantTypes.includes("refresh_token")) return undefined;
  const names = scopeTokens(scope);
  if (names.includes("openid") && !names.includes("offline_access")) return undefined;
  return { scope, audience, absoluteExpiresAt: now + lifetimesOf(client).refreshAbsoluteSeconds };
}

/** Mints the tokens of a response without writing them. Every token of the token endpoint is made here. */
export async function mintTokens(issue: Issue, deps: Deps): Promise<Minted> {
  const { client, owner, scope, refresh, dpopJkt, resource = ownApi(deps.config), exemption = deps.exemption } = issue;
  const now = deps.now();
  const endsAt = exemption?.endsAt ?? Number.POSITIVE_INFINITY;
  const mostSeconds = exemption?.accessTokenSeconds ?? Number.POSITIVE_INFINITY;
  const notAfter = Math.min(issue.notAfter ?? Number.POSITIVE_INFINITY, endsAt, now + mostSeconds);
  const context = withoutNonce(exemption ? { ...issue.context, exemption: exemption.id } : (issue.context ?? null));
  const expiresAt = Math.min(now + lifetimesOf(client).accessTokenSeconds, notAfter);
  const token = {
    // The grant of an exemption ends the token that a client gets for itself.
    grantId: owner?.grantId ?? exemption?.grantId ?? null,
    clientId: client.clientId,
    clientEpoch: client.accessEpoch,
    userId: owner?.userId ?? null,
    scope,
    audience: resource.id,
    context: accessTokenContext(context, dpopJkt, client),
    environment: client.environment,
    issuedAt: now,
    expiresAt,
  };
  const successor = issue.derive?.(expiresAt);
  const access =
    resource.tokenFormat === "jwt"
      ? await mintJwtAccessToken(token, resource.tokenAlgorithm, deps)
      : withId(successor?.accessToken ?? mintAccessToken(expiresAt, deps.random));
  const accessToken = { ...token, hash: access.hash, id: access.id };

  const family =
    owner && refresh && beginFamily({ client, grantId: owner.grantId, refresh, context, dpopJkt, endsAt }, deps);
  const refreshToken = family?.token ?? successor?.refreshToken;

  const about = { client, context: issue.context ?? {}, accessToken: access.secret, notAfter };
  const idToken =
    issue.identity && owner
      ? await mintIdToken({ ...about, ...issue.identity, userId: owner.userId }, deps)
      : undefined;
  const secrets = { accessToken: access.secret, refreshToken: refreshToken?.secret, idToken };
  const response = tokenResponse({ ...secrets, dpopJkt, scope, expiresIn: expiresAt - now });
  return { response, tokens: { accessToken, refreshFamily: family?.row }, successor };
}

type Beginning = Pick<Issue, "client" | "dpopJkt"> & {
  grantId: string;
  refresh: RefreshTerms;
  context: TokenContext | null;
  endsAt: number;
};

/** A family of refresh tokens, and its first token. RT-10. */
function beginFamily(
  { client, grantId, refresh, context, dpopJkt, endsAt }: Beginning,
  deps: Deps,
): { row: NewRefreshFamily; token: MintedSecret } {
  const now = deps.now();
  const id = mintTimeOrderedId(deps);
  const token = firstRefreshToken(id, deps);
  const bound = refreshTokenContext(context, dpopJkt, client);
  const row = {
    id,
    grantId,
    ...refresh,
    audience: refresh.audience ?? deps.config.resource,
    context: bound,
    boundFrom: bound?.dpopJkt === undefined ? null : 0,
    createdAt: now,
    expiresAt: Math.min(now + lifetimesOf(client).refreshIdleSeconds, refresh.absoluteExpiresAt, endsAt),
    currentHash: token.hash,
  };
  return { row, token };
}

/** The context of an access token, bound to the key that the client has proven, if any. RFC 9449 §6, DP-03. */
function accessTokenContext(
  context: TokenContext | null,
  dpopJkt: string | undefined,
  client: Pick<Client, "options">,
): TokenContext | null {
  const unbound = withoutKey(context);
  return dpopJkt === undefined
    ? unbound
    : { ...unbound, dpopJkt, ...(client.options.dpopNonce && { dpopNonce: true }) };
}

/**
 * The context of a refresh token. Bound to the key only for public clients; confidential ones authenticate on each use.
 * RFC 9449 §5.
 */
export function refreshTokenContext(
  context: TokenContext | null,
  dpopJkt: string | undefined,
  client: Client,
): TokenContext | null {
  return accessTokenContext(context, isConfidential(client) ? undefined : dpopJkt, client);
}

/** The context without nonce, which is for the first ID token only. OpenID Connect Core §12.2, RT-11. */
function withoutNonce(context: TokenContext | null): TokenContext | null {
  if (context?.nonce === undefined) return context;
  const { nonce: _, ...rest } = context;
  return Object.keys(rest).length > 0 ? rest : null;
}

function withoutKey(context: TokenContext | null): TokenContext | null {
  if (context?.dpopJkt === undefined) return context;
  const { dpopJkt: _key, dpopNonce: _nonce, ...rest } = context;
  return Object.keys(rest).length > 0 ? rest : null;
}

type Answer = {
  accessToken: string;
  refreshToken: string | undefined;
  idToken?: string | undefined;
  scope: string;
  dpopJkt: string | undefined;
  expiresIn: number;
};

/** The same members in the same order for the same values. */
export function tokenResponse({
  accessToken,
  refreshToken,
  idToken,
  scope,
  dpopJkt,
  expiresIn,
}: Answer): TokenResponse {
  return {
    access_token: accessToken,
    token_type: dpopJkt === undefined ? "Bearer" : "DPoP",
    expires_in: expiresIn,
    ...(scope !== "" && { scope }),
    ...(refreshToken !== undefined && { refresh_token: refreshToken }),
    ...(idToken !== undefined && { id_token: idToken }),
  };
}

/** The id of an opaque token is part of its hash, so no row has to hold one. */
function withId(minted: MintedSecret): MintedSecret & { id: string } {
  return { ...minted, id: idOfHash(minted.hash) };
}

/** Mints and writes tokens. For grants that spend nothing in the same statement. */
export async function issueTokens(issue: Issue, deps: Deps): Promise<TokenResponse> {
  const { response, tokens } = await mintTokens(issue, deps);
  const writes = [deps.store.saveAccessToken(tokens.accessToken)];
  if (tokens.refreshFamily) writes.push(deps.store.saveRefreshFamily(tokens.refreshFamily));
  await Promise.all(writes);
  return response;
}
