import { checkSignature, type Jwt, type JwtClaims, type PublicJwk } from "@gatehouse/guard";
import { importRegisteredJwk } from "../crypto/jwt.ts";
import { sha256 } from "../crypto/secret.ts";
import type { Caller, Deps } from "../deps.ts";
import type { Client } from "./client.ts";
import { invalidClient } from "./credentials.ts";
import { anyKeyFits } from "./keys.ts";
import { ASSERTION_ALGORITHMS } from "./options.ts";

/** Maximum lifetime of an assertion, and allowed clock skew. */
const MAX_AGE_SECONDS = 300;
const SKEW_SECONDS = 30;
const JTI_LENGTH = 512;
/** Any other `typ` is another kind of token. RFC 8725 §3.11. */
const TYPES = [undefined, "jwt", "client-authentication+jwt"];

/**
 * Verifies that an assertion is signed by the client, for our issuer only, fresh and not used before, and spends it.
 * Throws `invalid_client`; the ledger has the cause. RFC 7523 §3; JA-01 … JA-03.
 */
export async function verifyAssertion(client: Client, assertion: Jwt, deps: Deps, caller: Caller): Promise<void> {
  const { iss, sub, aud, jti } = assertion.claims;
  if (!TYPES.includes(assertion.header.typ?.toLowerCase()))
    throw invalidClient("assertion_malformed", "typ is that of another kind of token");
  if (iss !== client.clientId || sub !== client.clientId)
    throw invalidClient("assertion_malformed", "iss and sub must both be the client_id");
  // CF-16: an endpoint URL, or several audiences, would allow replay at another server.
  if (!isOnlyAudience(aud, deps.config.issuer))
    throw invalidClient("assertion_wrong_audience", "aud must be exactly the issuer");
  if (typeof jti !== "string" || jti === "" || jti.length > JTI_LENGTH)
    throw invalidClient("assertion_malformed", "jti is missing or too long");
  const expiresAt = requireFresh(assertion.claims, deps.now());

  const algorithm = ASSERTION_ALGORITHMS.find((known) => known === assertion.header.alg);
  const { assertionAlgorithm = algorithm } = client.options;
  if (!algorithm || canonical(algorithm) !== canonical(assertionAlgorithm)) {
    throw invalidClient("assertion_malformed", `alg must be ${assertionAlgorithm ?? ASSERTION_ALGORITHMS.join(", ")}`);
  }
  const signedBy = async (jwk: PublicJwk) => {
    const imported = isCandidate(jwk, assertion) ? await importRegisteredJwk(jwk, algorithm) : undefined;
    return imported !== undefined && checkSignature(assertion, imported.key, algorithm);
  };
  if (!(await anyKeyFits(client, signedBy, deps, caller)))
    throw invalidClient("assertion_signature_wrong", "no key of the client verifies the signature");

  // Last, so that only the client itself can spend its ids.
  const once = await deps.store.spendOnce(sha256(`assertion ${client.clientId} ${jti}`), expiresAt + SKEW_SECONDS + 1);
  if (!once) throw invalidClient("assertion_replayed", "an assertion with this jti was used before");
}

function isOnlyAudience(audience: unknown, issuer: string): boolean {
  return audience === issuer || (Array.isArray(audience) && audience.length === 1 && audience[0] === issuer);
}

/** Checks exp, iat and nbf against the clock, with the allowed skew. Returns exp. */
function requireFresh({ exp, iat, nbf }: JwtClaims, now: number): number {
  const latest = now + SKEW_SECONDS;
  if (typeof exp !== "number" || !isTime(iat) || !isTime(nbf))
    throw invalidClient("assertion_malformed", "exp is missing, or a time is not a number");
  if (exp <= now - SKEW_SECONDS)
    throw invalidClient("assertion_expired", "exp has passed", { expiredBySeconds: Math.ceil(now - exp) });
  if (exp > latest + MAX_AGE_SECONDS)
    throw invalidClient("assertion_malformed", `exp may be at most ${MAX_AGE_SECONDS} seconds ahead`);
  if (iat !== undefined && iat < now - MAX_AGE_SECONDS - SKEW_SECONDS)
    throw invalidClient("assertion_expired", "issued too long ago");
  if (Math.max(iat ?? 0, nbf ?? 0) > latest)
    throw invalidClient("assertion_not_yet_valid", "iat or nbf is in the future");
  return Math.ceil(exp);
}

function isTime(value: unknown): value is number | undefined {
  return value === undefined || typeof value === "number";
}

/** RFC 9864 §2.2: EdDSA and Ed25519 are the same algorithm here. */
function canonical(algorithm: unknown): unknown {
  return algorithm === "EdDSA" ? "Ed25519" : algorithm;
}

function isCandidate(jwk: PublicJwk, { header }: Jwt): boolean {
  const agrees = (own: unknown, asked: unknown) => own === undefined || asked === undefined || own === asked;
  return agrees(jwk.kid, header.kid) && agrees(canonical(jwk.alg), canonical(header.alg)) && jwk.use !== "enc";
}
