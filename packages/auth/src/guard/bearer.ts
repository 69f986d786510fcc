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
import { grantProblem } from "../tokens/grant-status.ts";
import { looksLikeJwt } from "../tokens/jwt-access-token.ts";

/**
 * What a route demands of the token: every scope named, the resource it was issued for (one of them; default our own API), the
 * environment of its client (one of them; default those that the resource accepts), and how its user signed in (default any way).
 */
export type BearerDemand = {
  scope: string | readonly string[];
  audience?: string | readonly string[];
  environments?: readonly Environment[];
} & AuthenticationDemand;
export type BearerToken = AccessToken & { user: TokenUser };
export type BearerResult = { ok: true; token: BearerToken } | { ok: false; response: Response };

/** An access token as it was sent: as anybody's who bears it, or as of whoever proves to hold its key. OAuth 2.1 §5.1.1, RFC 9449 §7.1. */
type SentToken = { secret: string; bound: boolean };

/** What answers to a bearer request carry besides: personal, so never cached. BR-11. */
export const BEARER_HEADERS = { ...CORS, "Cache-Control": "no-store", Vary: "Authorization" } as const;

const SCHEME = /^(bearer|dpop)(?: +(.*))?$/i;
/** OAuth 2.1 §5.1.1. */
const B64TOKEN = /^[A-Za-z0-9\-._~+/]+=*$/;

/**
 * The access token of a request, from the `Authorization` header and nowhere else, checked anew each time: known, live,
 * for this resource and environment, with every scope, and in the hands of whom it is bound to. Otherwise a ready 400, 401 or 403 with its
 * challenge. OAuth 2.1 §5.1–§5.3, RFC 9449 §7, BR-01…BR-14, DP-04, DP-05.
 */
export async function requireBearer(request: Request, demand: BearerDemand, deps: Deps, caller: Caller): Promise<BearerResult> {
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

function audiencesOf({ audience }: Pick<BearerDemand, "audience">, { config }: Pick<Deps, "config">): readonly string[] {
  return typeof audience === "string" ? [audience] : (audience ?? [config.resource]);
}

function readAuthorization(header: string | null): SentToken {
  // A client that names two tokens leaves open which one counts; `Headers` joins repeated fields with a comma. BR-07.
  if (header?.includes(",")) {
    const description = "Send one Authorization header.";
    throw new OAuthError("invalid_request", "authorization_repeated", description, { description });
  }
  const [, scheme = "", secret = ""] = SCHEME.exec(header ?? "") ?? [];
  if (secret === "") {
    throw new OAuthError("invalid_token", "token_missing", "no bearer token", { description: "Send an access token as a bearer token." });
  }
  if (!B64TOKEN.test(secret)) throw deadToken("token_malformed", "not the syntax of a bearer token");
  return { secret, bound: scheme.toLowerCase() === "dpop" };
}

/** RFC 9449 §7.1, §7.2: a bound token comes with a proof of its key, an unbound one as a bearer token, and neither as the other. */
async function requirePossession(token: BearerToken, { secret, bound }: SentToken, request: Request, deps: Deps): Promise<void> {
  const { dpopJkt, dpopNonce = false } = token.context ?? {};
  const of = { clientId: token.clientId, tokenId: token.id };
  if (!bound) throw deadToken("token_scheme_wrong", "bound to a key, but sent as a bearer token", of);
  if (dpopJkt === undefined) throw deadToken("token_scheme_wrong", "a bearer token, but sent as bound to a key", of);
  const proven = await requireProof(request, { accessToken: secret, nonce: dpopNonce }, deps).catch(asUnauthorized);
  if (proven !== dpopJkt) throw deadToken("dpop_key_differs", "bound to another key than the one proven", of);
}

/** What is a bad request where tokens are issued lacks authority where they are used. RFC 9449 §7.1, §9. */
function asUnauthorized(thrown: unknown): never {
  if (!(thrown instanceof OAuthError)) throw thrown;
  const { code, refusalCause, message, detail, headers, description } = thrown;
  throw new OAuthError(code, refusalCause, message, { status: 401, detail, headers, ...(description !== undefined && { description }) });
}

async function findLive(secret: string, demand: BearerDemand, deps: Deps): Promise<BearerToken> {
  const { store, now } = deps;
  const token =
    secret.startsWith(PREFIX.accessToken) || looksLikeJwt(secret) ? await store.findAccessToken(storageHash(secret)) : undefined;
  if (!token) throw deadToken("token_unknown", unknownBecause(secret));
  const of = { clientId: token.clientId, tokenId: token.id };
  if (token.revokedAt !== null) throw deadToken("token_revoked", "the token was revoked", of);
  const cause = grantProblem(token);
  if (cause) throw deadToken(cause, `what the token was issued for has ended: ${cause.replaceAll("_", " ")}`, of);
  const expiredBySeconds = now() - token.expiresAt;
  if (expiredBySeconds >= 0) throw deadToken("token_expired", "the token has expired", { ...of, expiredBySeconds });
  if (token.context?.subjectTokens !== undefined && !(await exchangeChainIsLive(token, store, now()))) {
    throw deadToken("token_revoked", "the token it was exchanged for is dead", of);
  }
  await requirePlace(token, demand, deps);
  return token;
}

/** The token was issued for this resource, which is live, and to a client of an environment that counts here. RFC 8707 §2, D22. */
async function requirePlace(token: BearerToken, demand: BearerDemand, deps: Deps): Promise<void> {
  const { audience, environment, clientId, id: tokenId } = token;
  const detail = { clientId, tokenId, audience };
  if (!audiencesOf(demand, deps).includes(audience)) throw deadToken("token_wrong_audience", "issued for another resource", detail);
  const accepted = await acceptedEnvironments(audience, deps);
  if (!accepted) throw deadToken("token_wrong_audience", "its resource was switched off or removed", detail);
  const wanted = demand.environments ?? accepted;
  if (wanted.includes(environment)) return;
  const message = `issued to a client of ${environment}; tokens of ${wanted.join(", ")} count here`;
  throw deadToken("token_of_other_environment", message, { ...detail, environment, accepted: wanted.join(" ") });
}

/** BR-10: the commonest mistake is another of our own secrets in the wrong place. */
function unknownBecause(secret: string): string {
  const kind = Object.entries(PREFIX).find(([, prefix]) => secret.startsWith(prefix))?.[0];
  return kind === undefined || kind === "accessToken" ? "no such access token" : `not an access token but a secret of kind ${kind}`;
}

function deadToken(cause: RefusalCause, message: string, detail: RefusalDetail = {}): OAuthError {
  const description = "The access token is malformed, unknown, expired, revoked or meant for another resource or environment.";
  return new OAuthError("invalid_token", cause, message, { description, detail });
}

function insufficientScope(needed: string, held: string): OAuthError {
  const description = `This needs the scope ${needed}.`;
  return new OAuthError("insufficient_scope", "scope_insufficient", description, { description, detail: { needed, held } });
}

const CHALLENGED: ReadonlySet<OAuthErrorCode> = new Set([
  "invalid_token",
  "insufficient_scope",
  "insufficient_user_authentication",
  "invalid_request",
  "invalid_dpop_proof",
  "use_dpop_nonce",
]);

/** RFC 9449 §7.1: what a proof may be signed with, as a challenge of its own or as part of one. */
const DPOP_ALGS = `algs="${DPOP_ALGORITHMS.join(" ")}"`;
export const DPOP_CHALLENGE = `DPoP ${DPOP_ALGS}`;

/**
 * OAuth 2.1 §5.3.1, RFC 9728 §5.1: `error` only when a token was sent (BR-04), and the way to the metadata always. Whoever
 * sent a bound token is answered in its scheme alone; everybody else learns of both (DP-07).
 */
function challenge(
  thrown: unknown,
  request: Request,
  { scope, ...demand }: BearerDemand & { scope: string },
  { config }: Pick<Deps, "config">,
): Record<string, string> {
  if (!(thrown instanceof OAuthError) || !CHALLENGED.has(thrown.code)) return {};
  const attributes = ['realm="gatehouse"'];
  if (thrown.refusalCause !== "token_missing") {
    attributes.push(`error="${thrown.code}"`);
    if (thrown.description) attributes.push(`error_description="${thrown.description}"`);
  }
  if (thrown.code === "insufficient_user_authentication") attributes.push(...authenticationChallenge(demand));
  if (scope !== "") attributes.push(`scope="${scope}"`);
  const [resource = config.resource] = audiencesOf(demand, { config });
  attributes.push(`resource_metadata="${resourceMetadataUrl({ resource })}"`);
  const sentBound = thrown.refusalCause !== "token_missing" && /^dpop /i.test(request.headers.get("authorization") ?? "");
  if (sentBound) return { "WWW-Authenticate": `DPoP ${attributes.join(", ")}, ${DPOP_ALGS}` };
  return { "WWW-Authenticate": `Bearer ${attributes.join(", ")}${thrown.status === 401 ? `, ${DPOP_CHALLENGE}` : ""}` };
}
