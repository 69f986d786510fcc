import {
  type AuthenticationDemand,
  challengeFor,
  checkToken,
  INVALID_TOKEN,
  readAuthorization,
} from "@gatehouse/guard";
import type { Environment } from "../clients/client.ts";
import { PREFIX, storageHash } from "../crypto/secret.ts";
import type { Caller, Deps } from "../deps.ts";
import { OAuthError } from "../errors/error.ts";
import type { RefusalCause, RefusalDetail } from "../errors/refusal.ts";
import { asRefused, refuse } from "../errors/refuse.ts";
import { CORS } from "../http/endpoint.ts";
import { acceptedEnvironments } from "../resources/registry.ts";
import type { AccessToken } from "../store/access-tokens.ts";
import type { TokenUser } from "../store/users.ts";
import { requireProof } from "../tokens/dpop.ts";
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

/** Headers of every response to a bearer request. They hold personal data, so they are never cached. BR-11. */
export const BEARER_HEADERS = { ...CORS, "Cache-Control": "no-store", Vary: "Authorization" } as const;

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
  const authorization = request.headers.get("authorization");
  let lookup: Promise<BearerToken> | undefined;
  try {
    const token = await checkToken(readAuthorization(authorization), demand, {
      find: (secret) => {
        lookup = findLive(secret, demand, deps);
        return lookup;
      },
      prove: (accessToken, { context }) =>
        requireProof(request, { accessToken, nonce: context?.dpopNonce ?? false }, deps),
      describe: detailOf,
      now: deps.now,
    });
    return { ok: true, token };
  } catch (thrown) {
    const error = asRefused(thrown);
    const [resource = deps.config.resource] = audiencesOf(demand, deps);
    const challenge = challengeFor(error, authorization, demand, resource);
    const answer = challenge === undefined ? BEARER_HEADERS : { ...BEARER_HEADERS, "WWW-Authenticate": challenge };
    const found = await lookup?.catch(() => undefined);
    const at = { endpoint: new URL(request.url).pathname.slice(0, 200), clientId: found?.clientId ?? null };
    return { ok: false, response: await refuse(error, at, deps, caller, answer) };
  }
}

function audiencesOf(
  { audience }: Pick<BearerDemand, "audience">,
  { config }: Pick<Deps, "config">,
): readonly string[] {
  return typeof audience === "string" ? [audience] : (audience ?? [config.resource]);
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
  return new OAuthError("invalid_token", cause, message, { description: INVALID_TOKEN, detail });
}
