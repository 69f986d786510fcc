import type { Environment } from "../clients/client.ts";
import { PREFIX, storageHash } from "../crypto/secret.ts";
import type { Caller, Deps } from "../deps.ts";
import { OAuthError, type OAuthErrorCode } from "../errors/error.ts";
import type { RefusalCause, RefusalDetail } from "../errors/refusal.ts";
import { refuse } from "../errors/refuse.ts";
import { CORS } from "../http/endpoint.ts";
import { resourceMetadataUrl } from "../http/published.ts";
import { acceptedEnvironments } from "../resources/registry.ts";
import { isSubsetScope } from "../resources/scope.ts";
import { type AuthenticationDemand, authenticationChallenge, requireAuthentication } from "../sessions/step-up.ts";
import type { AccessToken } from "../store/access-tokens.ts";
import type { TokenUser } from "../store/users.ts";
import { DPOP_ALGORITHMS, requireProof } from "../tokens/dpop.ts";
import { exchangeChainIsLive } from "../tokens/exchange-chain.ts";
import { grantProblem, ofUser } from "../tokens/grant-status.ts";
import { looksLikeJwt } from "../tokens/jwt-access-token.ts";

/**
 * What a route requires of the token: all of these scopes, one of these resources as its audience (default: our own
 * API), a client of one of these environments (default: those that the resource accepts), and how its user signed in
 * (default: any way).
 */
export type BearerDemand = {
  scope: string | readonly string[];
  audience?: string | readonly string[];
  environments?: readonly Environment[];
} & AuthenticationDemand;
/** A live access token with its user. */
export type BearerToken = AccessToken & { user: TokenUser };
/** The token, or the response to send instead. */
export type BearerResult = { ok: true; token: BearerToken } | { ok: false; response: Response };

/** An access token as sent; `bound` when the scheme was DPoP. OAuth 2.1 §5.1.1, RFC 9449 §7.1. */
type SentToken = { secret: string; bound: boolean };

/** Headers of every response to a bearer request. They hold personal data, so they are never cached. BR-11. */
export const BEARER_HEADERS = { ...CORS, "Cache-Control": "no-store", Vary: "Authorization" } as const;

const SCHEME = /^(bearer|dpop)(?: +([^ ].*)?)?$/i;
/** OAuth 2.1 §5.1.1. */
const B64TOKEN = /^[A-Za-z0-9\-._~+/]+=*$/;

/**
 * Authorizes a request by the access token in its `Authorization` header. Checks on every request that the token
 * exists, is live, is for this resource and environment, has every scope, and that the sender holds the key it is bound
 * to. Returns the token, or a ready 400, 401 or 403 with its challenge. OAuth 2.1 §5.1–§5.3, RFC 9449 §7, BR-01…BR-14,
 * DP-04, DP-05, MC-09, MC-10.
 */
export async function requireBearer(
  request: Request,
  demand: BearerDemand,
  deps: Deps,
  caller: Caller,
): Promise<BearerResult> {
  const scope = typeof demand.scope === "string" ? demand.scope : demand.scope.join(" ");
  let found: BearerToken | undefined;
  try {
    const sent = readAuthorization(request.headers.get("authorization"));
    found = await findLive(sent.secret, demand, deps);
    if (sent.bound || found.context?.dpopJkt !== undefined) await requirePossession(found, sent, request, deps);
    if (!isSubsetScope(scope, found.scope)) throw insufficientScope(scope, found.scope);
    requireAuthentication(demand, found.context, deps.now());
    return { ok: true, token: found };
  } catch (thrown) {
    const headers = { ...BEARER_HEADERS, ...challenge(thrown, request, { ...demand, scope }, deps) };
    const at = { endpoint: new URL(request.url).pathname.slice(0, 200), clientId: found?.clientId ?? null };
    return { ok: false, response: await refuse(thrown, at, deps, caller, headers) };
  }
}

function audiencesOf(
  { audience }: Pick<BearerDemand, "audience">,
  { config }: Pick<Deps, "config">,
): readonly string[] {
  return typeof audience === "string" ? [audience] : (audience ?? [config.resource]);
}

function readAuthorization(header: string | null): SentToken {
  // `Headers` joins repeated fields with a comma; two tokens would be ambiguous. BR-07.
  if (header?.includes(",")) {
    const description = "Send one Authorization header.";
    throw new OAuthError("invalid_request", "authorization_repeated", description, { description });
  }
  const [, scheme = "", secret = ""] = SCHEME.exec(header ?? "") ?? [];
  if (secret === "") {
    throw new OAuthError("invalid_token", "token_missing", "no bearer token", {
      description: "Send an access token as a bearer token.",
    });
  }
  if (!B64TOKEN.test(secret)) throw invalidToken("token_malformed", "not a valid bearer token");
  return { secret, bound: scheme.toLowerCase() === "dpop" };
}

/**
 * RFC 9449 §7.1, §7.2: a bound token requires the DPoP scheme and a proof of its key; an unbound one requires the
 * Bearer scheme.
 */
async function requirePossession(
  token: BearerToken,
  { secret, bound }: SentToken,
  request: Request,
  deps: Deps,
): Promise<void> {
  const { dpopJkt, dpopNonce = false } = token.context ?? {};
  if (!bound)
    throw invalidToken(
      "token_scheme_wrong",
      "the token is bound to a key but was sent as a bearer token",
      detailOf(token),
    );
  if (dpopJkt === undefined)
    throw invalidToken(
      "token_scheme_wrong",
      "the token is not bound to a key but was sent with the DPoP scheme",
      detailOf(token),
    );
  const proven = await requireProof(request, { accessToken: secret, nonce: dpopNonce }, deps).catch(asUnauthorized);
  if (proven !== dpopJkt)
    throw invalidToken("dpop_key_differs", "the token is bound to another key than the proof's", detailOf(token));
}

/** A proof error is a 400 at the token endpoint but a 401 at a resource. RFC 9449 §7.1, §9. */
function asUnauthorized(thrown: unknown): never {
  if (!(thrown instanceof OAuthError)) throw thrown;
  const { code, refusalCause, message, detail, headers, description } = thrown;
  throw new OAuthError(code, refusalCause, message, {
    status: 401,
    detail,
    headers,
    ...(description !== undefined && { description }),
  });
}

async function findLive(secret: string, demand: BearerDemand, deps: Deps): Promise<BearerToken> {
  const { store, now } = deps;
  const token =
    secret.startsWith(PREFIX.accessToken) || looksLikeJwt(secret)
      ? await store.findAccessToken(storageHash(secret))
      : undefined;
  if (!token) throw invalidToken("token_unknown", unknownTokenMessage(secret));
  if (token.revokedAt !== null) throw invalidToken("token_revoked", "the token was revoked", detailOf(token));
  const cause = grantProblem(token);
  if (cause) throw invalidToken(cause, `the token is no longer valid: ${cause.replaceAll("_", " ")}`, detailOf(token));
  const expiredBySeconds = now() - token.expiresAt;
  if (expiredBySeconds >= 0)
    throw invalidToken("token_expired", "the token has expired", { ...detailOf(token), expiredBySeconds });
  if (token.context?.subjectTokens !== undefined && !(await exchangeChainIsLive(token, store, now()))) {
    throw invalidToken("token_revoked", "the token it was exchanged for is no longer valid", detailOf(token));
  }
  if (!audiencesOf(demand, deps).includes(token.audience))
    throw invalidToken("token_wrong_audience", "issued for another resource", {
      ...detailOf(token),
      audience: token.audience,
    });
  const accepted = acceptedEnvironments(token.audience, deps);
  requireEnvironment(token, demand, accepted instanceof Promise ? await accepted : accepted);
  return token;
}

/** Which token it was, for the failure ledger. */
const detailOf = (token: BearerToken): RefusalDetail => ({
  clientId: token.clientId,
  tokenId: token.id,
  ...ofUser(token),
});

/**
 * The resource of the token must be enabled, and its client of an environment that the resource accepts. RFC 8707 §2,
 * D22.
 */
function requireEnvironment(
  token: BearerToken,
  demand: BearerDemand,
  accepted: readonly Environment[] | undefined,
): void {
  const { audience, environment, clientId, id: tokenId } = token;
  const detail = { clientId, tokenId, audience };
  if (!accepted) throw invalidToken("token_wrong_audience", "its resource was disabled or deleted", detail);
  const wanted = demand.environments ?? accepted;
  if (wanted.includes(environment)) return;
  const message = `issued to a ${environment} client; this resource accepts ${wanted.join(", ")}`;
  throw invalidToken("token_of_other_environment", message, { ...detail, environment, accepted: wanted.join(" ") });
}

/** BR-10: the most common mistake is to send another kind of secret. */
function unknownTokenMessage(secret: string): string {
  const kind = Object.entries(PREFIX).find(([, prefix]) => secret.startsWith(prefix))?.[0];
  return kind === undefined || kind === "accessToken"
    ? "no such access token"
    : `not an access token but a secret of the kind ${kind}`;
}

function invalidToken(cause: RefusalCause, message: string, detail: RefusalDetail = {}): OAuthError {
  const description =
    "The access token is malformed, unknown, expired, revoked or for another resource or environment.";
  return new OAuthError("invalid_token", cause, message, { description, detail });
}

function insufficientScope(needed: string, held: string): OAuthError {
  const description = `This requires the scope ${needed}.`;
  return new OAuthError("insufficient_scope", "scope_insufficient", description, {
    description,
    detail: { needed, held },
  });
}

const CODES_WITH_CHALLENGE: ReadonlySet<OAuthErrorCode> = new Set([
  "invalid_token",
  "insufficient_scope",
  "insufficient_user_authentication",
  "invalid_request",
  "invalid_dpop_proof",
  "use_dpop_nonce",
]);

/** RFC 9449 §7.1: the algorithms allowed for proofs, as part of a challenge. */
const DPOP_ALGS = `algs="${DPOP_ALGORITHMS.join(" ")}"`;
/** The DPoP challenge for a `WWW-Authenticate` header. */
export const DPOP_CHALLENGE = `DPoP ${DPOP_ALGS}`;

/**
 * The `WWW-Authenticate` header. `error` only when a token was sent (BR-04); the metadata URL always. A request with
 * the DPoP scheme gets only a DPoP challenge, any other gets both (DP-07). OAuth 2.1 §5.3.1, RFC 9728 §5.1.
 */
function challenge(
  thrown: unknown,
  request: Request,
  { scope, ...demand }: BearerDemand & { scope: string },
  { config }: Pick<Deps, "config">,
): Record<string, string> {
  if (!(thrown instanceof OAuthError) || !CODES_WITH_CHALLENGE.has(thrown.code)) return {};
  const attributes = ['realm="gatehouse"'];
  if (thrown.refusalCause !== "token_missing") {
    attributes.push(`error="${thrown.code}"`);
    if (thrown.description) attributes.push(`error_description="${thrown.description}"`);
  }
  if (thrown.code === "insufficient_user_authentication") attributes.push(...authenticationChallenge(demand));
  if (scope !== "") attributes.push(`scope="${scope}"`);
  const [resource = config.resource] = audiencesOf(demand, { config });
  attributes.push(`resource_metadata="${resourceMetadataUrl({ resource })}"`);
  const sentBound =
    thrown.refusalCause !== "token_missing" && /^dpop /i.test(request.headers.get("authorization") ?? "");
  if (sentBound) return { "WWW-Authenticate": `DPoP ${attributes.join(", ")}, ${DPOP_ALGS}` };
  return { "WWW-Authenticate": `Bearer ${attributes.join(", ")}${thrown.status === 401 ? `, ${DPOP_CHALLENGE}` : ""}` };
}
