import { type GuardCause, GuardError, type GuardErrorDetail } from "./error.ts";
import {
  checkSignature,
  importPublicJwk,
  isPublicJwk,
  type Jwt,
  type JwtClaims,
  type KeyCache,
  readJwt,
} from "./jwt.ts";
import type { Sha256 } from "./sha256.ts";

/** Algorithms for proofs, also in the metadata. RFC 9449 §5.1. */
export const DPOP_ALGORITHMS = ["RS256", "ES256", "EdDSA", "Ed25519"] as const;

/** How far `iat` may differ from our clock. RFC 9449 §11.1. */
const WINDOW_SECONDS = 60;
const JTI_LENGTH = 512;
const URL_LENGTH = 2048;

/** What is compared with a proof. */
type ProvenRequest = Pick<Request, "method" | "url" | "headers">;

/** What a proof must match, and how it is spent. */
export type ProofChecks = {
  /** The access token of the request, if any. RFC 9449 §4.3 (11). */
  accessToken?: string;
  /** Any URL of the origin that clients call, from configuration. */
  origin: string;
  /** Unix seconds. */
  now: () => number;
  sha256: Sha256;
  /**
   * Spends a proof: true the first time that it gets this name, and false from then on until `expiresAt` (Unix
   * seconds). The name has the `jti`, which can be 512 characters long.
   */
  spendOnce: (name: string, expiresAt: number) => Promise<boolean> | boolean;
  /** Throws unless the proof must have no server nonce, or has a valid one. RFC 9449 §8, §9. */
  checkNonce?: (nonce: unknown) => void;
};

/**
 * Verifies the DPoP proof of a request, with every check of RFC 9449 §4.3, and returns the thumbprint of its key.
 * Spends the proof: its `jti` can be used once. Throws `invalid_dpop_proof`. DP-01, DP-02.
 */
export async function requireProof(request: ProvenRequest, checks: ProofChecks): Promise<string> {
  const { jkt, jti, issuedAt } = await verifyProof(request, checks);
  if (!(await checks.spendOnce(`dpop ${jkt} ${jti}`, issuedAt + WINDOW_SECONDS + 1)))
    throw badProof("dpop_replayed", "a proof with this jti was used before");
  return jkt;
}

type Proof = { jkt: string; jti: string; issuedAt: number };

async function verifyProof(request: ProvenRequest, checks: ProofChecks): Promise<Proof> {
  const sent = request.headers.get("dpop");
  if (sent === null) throw badProof("dpop_missing", "no DPoP header was sent");
  const proof = readJwt(sent); // repeated headers are joined by commas, so not a JWT
  if (proof?.header.typ !== "dpop+jwt")
    throw badProof("dpop_malformed", "the DPoP header is not exactly one JWT of type dpop+jwt");
  const jkt = await requireSigned(proof, checks.sha256);

  const { jti, htm, htu, ath, nonce } = proof.claims;
  if (typeof jti !== "string" || jti === "" || jti.length > JTI_LENGTH)
    throw badProof("dpop_malformed", "jti is missing or too long");
  if (htm !== request.method) throw badProof("dpop_of_other_request", "htm is not the method of this request");
  if (typeof htu !== "string" || !isUrlOf(htu, request, checks.origin))
    throw badProof("dpop_of_other_request", "htu is not the URL of this request");
  if (checks.accessToken !== undefined && !isEqual(ath, await checks.sha256(checks.accessToken)))
    throw badProof("dpop_of_other_request", "ath is not the hash of the access token");
  const issuedAt = requireFresh(proof.claims, checks.now());
  checks.checkNonce?.(nonce);
  return { jkt, jti, issuedAt };
}

/** Imported keys of proofs. Bounded, because callers can send as many keys as they like. */
const proofKeys: KeyCache = new Map();

/**
 * Verifies the signature with the public key in the header and returns the thumbprint of that key. RFC 9449 §4.3
 * (5)…(7).
 */
async function requireSigned(proof: Jwt, sha256: Sha256): Promise<string> {
  const { alg, jwk } = proof.header;
  const algorithm = DPOP_ALGORITHMS.find((known) => known === alg);
  const imported = algorithm && isPublicJwk(jwk) ? await importPublicJwk(jwk, algorithm, proofKeys, sha256) : undefined;
  if (!algorithm || !imported) {
    throw badProof(
      "dpop_key_unsuitable",
      `alg must be one of ${DPOP_ALGORITHMS.join(" ")}, and jwk a public key for it`,
    );
  }
  if (!(await checkSignature(proof, imported.key, algorithm)))
    throw badProof("dpop_signature_wrong", "the signature does not verify with jwk");
  return imported.thumbprint;
}

/**
 * RFC 9449 §4.3 (9): compares normalised URLs without query and fragment. The origin is configured, never taken from
 * `Host`.
 */
function isUrlOf(htu: string, request: ProvenRequest, origin: string): boolean {
  const named = parseUrl(htu);
  if (!named) return false;
  const ours = new URL(new URL(request.url).pathname, origin);
  return (
    named.origin === ours.origin && named.pathname === ours.pathname && named.username === "" && named.password === ""
  );
}

/** Long texts are not parsed: the time to read a host name in another script grows with the square of its length. */
function parseUrl(text: string): URL | undefined {
  try {
    return text.length > URL_LENGTH ? undefined : new URL(text);
  } catch {
    return undefined;
  }
}

/** Compares what was sent with a text of our own, in a time that depends on the length alone. */
function isEqual(sent: unknown, own: string): boolean {
  if (typeof sent !== "string" || sent.length !== own.length) return false;
  let differences = 0;
  for (let at = 0; at < own.length; at++) differences |= own.charCodeAt(at) ^ sent.charCodeAt(at);
  return differences === 0;
}

function requireFresh({ iat, exp, nbf }: JwtClaims, now: number): number {
  if (typeof iat !== "number" || !Number.isSafeInteger(iat))
    throw badProof("dpop_malformed", "iat is not a whole number of seconds");
  const early = Math.max(iat, typeof nbf === "number" ? nbf : iat) - now;
  const late = now - Math.min(iat, typeof exp === "number" ? exp : iat);
  if (early <= WINDOW_SECONDS && late <= WINDOW_SECONDS) return iat;
  throw badProof("dpop_stale", `iat must be within ${WINDOW_SECONDS} seconds of the server clock`, {
    aheadBySeconds: iat - now,
  });
}

/** The error of a proof that is missing or wrong. RFC 9449 §5. */
export function badProof(cause: GuardCause, message: string, detail: GuardErrorDetail = {}): GuardError {
  return new GuardError("invalid_dpop_proof", cause, message, { description: `DPoP: ${message}.`, detail });
}
