import { DPOP_ALGORITHMS, type GuardError, invalidToken } from "@gatehouse/guard";
import { errors, jwtVerify } from "jose";
import { keep } from "../process-state.ts";
import { serverKeys } from "../server/keys.ts";
import { introspect } from "../server/tokens.ts";
import type { Api } from "./api.ts";
import { type Found, readClaims } from "./claims.ts";
import type { TokenDemand } from "./token.ts";

const OPAQUE = /^gat_/;
const JWT = /^eyJ[\w-]+\.[\w-]+\.[\w-]+$/;
/** Signatures of the server. Proofs may use the same. */
const ALGORITHMS = [...DPOP_ALGORITHMS];

/**
 * The valid token with this text. An opaque one is introspected at each call, so that a revoked token is rejected at
 * once; a JWT is verified with the server's keys, and introspected as well with `live`. Nothing else is sent to the
 * server: it might be a secret of another kind. PK-48, BR-10.
 */
export async function findToken(secret: string, demand: TokenDemand, api: Api): Promise<Found> {
  if (JWT.test(secret)) {
    const found = await readJwt(secret, demand, api);
    return demand.live ? askServer(secret, demand, api) : found;
  }
  if (!OPAQUE.test(secret)) throw invalidToken("token_unknown", "not an access token of a Gatehouse server");
  return demand.live ? askServer(secret, demand, api) : askServerOrCache(secret, demand, api);
}

async function readJwt(secret: string, demand: Pick<TokenDemand, "environments">, api: Api): Promise<Found> {
  const { settings } = api;
  const checks = {
    issuer: settings.issuer,
    audience: settings.resource,
    typ: "at+jwt", // RFC 9068 §4: an ID token is none
    algorithms: ALGORITHMS,
    clockTolerance: 30,
    currentDate: new Date(settings.now()),
    requiredClaims: ["exp"],
  };
  const { payload } = await jwtVerify(secret, serverKeys(api), checks).catch((error: unknown) => {
    throw error instanceof errors.JOSEError ? problemOf(error) : error;
  });
  return readClaims(payload, { environments: demand.environments }, settings);
}

function problemOf(error: errors.JOSEError): GuardError {
  if (error instanceof errors.JWTExpired) return invalidToken("token_expired", "the token has expired");
  if (error instanceof errors.JWTClaimValidationFailed && error.claim === "aud")
    return invalidToken("token_wrong_audience", "issued for another resource");
  return invalidToken("token_unknown", `not a JWT access token of this server (${error.code})`);
}

async function askServer(secret: string, demand: Pick<TokenDemand, "environments">, api: Api): Promise<Found> {
  const answer = await introspect(api, secret);
  if (!answer.active) throw invalidToken("token_unknown", "unknown, expired, revoked, or for another API");
  return readClaims(answer, { environments: demand.environments }, api.settings);
}

/** Only what is active is kept, for at most `tokenCache` seconds and never past its expiry. PK-48. */
async function askServerOrCache(secret: string, demand: TokenDemand, api: Api): Promise<Found> {
  const { settings, state } = api;
  if (settings.tokenCacheSeconds === 0) return askServer(secret, demand, api);
  const now = settings.now();
  const known = state.tokens.get(secret);
  if (known && now < known.until) return readClaims(known.claims, { environments: demand.environments }, settings);
  const found = await askServer(secret, demand, api);
  const { claims, expiresAt } = found.verified;
  const until = Math.min(now + settings.tokenCacheSeconds * 1000, expiresAt * 1000);
  keep(state.tokens, secret, { claims, until });
  return found;
}
