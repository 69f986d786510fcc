import { parseUrl } from "@gatehouse/runtime";
import type { Client } from "../clients/client.ts";
import { SIGNING_ALGORITHMS } from "../clients/options.ts";
import {
  checkSignature,
  importPublicJwk,
  isPublicJwk,
  type Jwt,
  type JwtClaims,
  type KeyCache,
  readJwt,
} from "../crypto/jwt.ts";
import { constantTimeEqual, sha256 } from "../crypto/secret.ts";
import type { Deps } from "../deps.ts";
import { OAuthError } from "../errors/error.ts";
import type { RefusalCause, RefusalDetail } from "../errors/refusal.ts";

/** Algorithms for proofs, also in the metadata. RFC 9449 §5.1. */
export const DPOP_ALGORITHMS = [...SIGNING_ALGORITHMS, "Ed25519"] as const;

/** How far `iat` may differ from our clock. A `jti` is stored for as long. RFC 9449 §11.1. */
const WINDOW_SECONDS = 60;
/** Lifetime of a server nonce. RFC 9449 §8. */
const NONCE_SECONDS = 300;
const NONCE_PURPOSE = "dpop nonce";
const JTI_LENGTH = 512;

/** What a proof must match. */
export type ProofDemand = {
  /** The access token of the request, if any. RFC 9449 §4.3 (11). */
  accessToken?: string;
  /** Whether it must contain a server nonce. */
  nonce: boolean;
};

type ProofDeps = Pick<Deps, "config" | "store" | "now" | "seal">;

/**
 * Verifies the DPoP proof of a request, with every check of RFC 9449 §4.3, and returns the thumbprint of its key.
 * Spends the proof: its `jti` can be used once, across all processes. Throws `invalid_dpop_proof`, or `use_dpop_nonce`
 * with a new nonce. DP-01, DP-02.
 */
export async function requireProof(request: Request, demand: ProofDemand, deps: ProofDeps): Promise<string> {
  const { jkt, jti, issuedAt } = await verifyProof(request, demand, deps);
  const once = await deps.store.spendOnce(sha256(`dpop ${jkt} ${jti}`), issuedAt + WINDOW_SECONDS + 1);
  if (!once) throw badProof("dpop_replayed", "a proof with this jti was used before");
  return jkt;
}

/**
 * The thumbprint of the key that a client proves at the token endpoint; undefined when it sends no proof and needs
 * none. RFC 9449 §5, §5.2.
 */
export function provenKey(request: Request, client: Client, deps: ProofDeps): Promise<string> | undefined {
  const { dpopBound = false, dpopNonce = false } = client.options;
  return dpopBound || request.headers.has("dpop") ? requireProof(request, { nonce: dpopNonce }, deps) : undefined;
}

/** Throws unless the proven key is the one that a code or token is bound to. RFC 9449 §5, §10; DP-06. */
export function requireBoundKey(bound: string | undefined, proven: string | undefined): void {
  if (bound === undefined || bound === proven) return;
  if (proven === undefined) throw badProof("dpop_missing", "a proof of the bound key is required");
  throw new OAuthError(
    "invalid_grant",
    "dpop_key_differs",
    "the code or token is bound to another key than the proof's",
    {
      description: "The code or token is bound to another key than that of the DPoP proof.",
    },
  );
}

type Proof = { jkt: string; jti: string; issuedAt: number };

async function verifyProof(request: Request, demand: ProofDemand, deps: ProofDeps): Promise<Proof> {
  const sent = request.headers.get("dpop");
  if (sent === null) throw badProof("dpop_missing", "no DPoP header was sent");
  const proof = readJwt(sent); // repeated headers are joined by commas, so not a JWT
  if (proof?.header.typ !== "dpop+jwt")
    throw badProof("dpop_malformed", "the DPoP header is not exactly one JWT of type dpop+jwt");
  const jkt = await requireSigned(proof);

  const { jti, htm, htu, ath, nonce } = proof.claims;
  if (typeof jti !== "string" || jti === "" || jti.length > JTI_LENGTH)
    throw badProof("dpop_malformed", "jti is missing or too long");
  if (htm !== request.method) throw badProof("dpop_of_other_request", "htm is not the method of this request");
  if (typeof htu !== "string" || !isUrlOf(htu, request, deps))
    throw badProof("dpop_of_other_request", "htu is not the URL of this request");
  requireAccessTokenHash(ath, demand.accessToken);
  const issuedAt = requireFresh(proof.claims, deps.now());
  if (demand.nonce && !isValidNonce(nonce, deps)) throw nonceRequired(deps);
  return { jkt, jti, issuedAt };
}

/** Keys of proofs: any number of callers can bring any number of them. */
const proofKeys: KeyCache = new Map();

/**
 * Verifies the signature with the public key in the header and returns the thumbprint of that key. RFC 9449 §4.3
 * (5)…(7).
 */
async function requireSigned(proof: Jwt): Promise<string> {
  const { alg, jwk } = proof.header;
  const algorithm = DPOP_ALGORITHMS.find((known) => known === alg);
  const imported = algorithm && isPublicJwk(jwk) ? await importPublicJwk(jwk, algorithm, proofKeys) : undefined;
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
 * RFC 9449 §4.3 (9): compares normalised URLs without query and fragment. The origin is the issuer's, never taken from
 * `Host`.
 */
function isUrlOf(htu: string, request: Request, { config }: Pick<Deps, "config">): boolean {
  const named = parseUrl(htu);
  if (!named) return false;
  const ours = new URL(new URL(request.url).pathname, config.issuer);
  return (
    named.origin === ours.origin && named.pathname === ours.pathname && named.username === "" && named.password === ""
  );
}

function requireAccessTokenHash(ath: unknown, accessToken: string | undefined): void {
  if (accessToken === undefined) return;
  if (typeof ath !== "string" || !constantTimeEqual(ath, sha256(accessToken))) {
    throw badProof("dpop_of_other_request", "ath is not the hash of the access token");
  }
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

/** A nonce for the next proof: the sealed time, which every process can check and nobody can forge. RFC 9449 §8. */
export function mintNonce({ seal, now }: Pick<Deps, "seal" | "now">): string {
  return seal.seal(NONCE_PURPOSE, String(now()));
}

function isValidNonce(nonce: unknown, { seal, now }: Pick<Deps, "seal" | "now">): boolean {
  const mintedAt = typeof nonce === "string" ? seal.open(NONCE_PURPOSE, nonce) : undefined;
  return mintedAt !== undefined && now() - Number(mintedAt) < NONCE_SECONDS;
}

function nonceRequired(deps: Pick<Deps, "seal" | "now">): OAuthError {
  return new OAuthError("use_dpop_nonce", "dpop_nonce_missing", "no server nonce or an expired one", {
    description: "Put the nonce of the DPoP-Nonce header into the proof.",
    headers: { "DPoP-Nonce": mintNonce(deps) },
  });
}

/** Could this be a key thumbprint? */
export function isThumbprint(value: string): boolean {
  return /^[\w-]{43}$/.test(value);
}

function badProof(cause: RefusalCause, message: string, detail: RefusalDetail = {}): OAuthError {
  return new OAuthError("invalid_dpop_proof", cause, message, { description: `DPoP: ${message}.`, detail });
}
