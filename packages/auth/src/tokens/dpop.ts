import { badProof, GuardError, requireProof as requireProofWith } from "@gatehouse/guard";
import type { Client } from "../clients/client.ts";
import { sha256 } from "../crypto/secret.ts";
import type { Deps } from "../deps.ts";
import { OAuthError } from "../errors/error.ts";

/** Lifetime of a server nonce. RFC 9449 §8. */
const NONCE_SECONDS = 300;
const NONCE_PURPOSE = "dpop nonce";

/** What a proof must match. */
export type ProofDemand = {
  /** The access token of the request, if any. RFC 9449 §4.3 (11). */
  accessToken?: string;
  /** Whether it must contain a server nonce. */
  nonce: boolean;
};

type ProofDeps = Pick<Deps, "config" | "store" | "now" | "seal">;

/**
 * Verifies the DPoP proof of a request and returns the thumbprint of its key. Spends the proof: its `jti` can be used
 * once, across all processes. Throws `invalid_dpop_proof`, or `use_dpop_nonce` with a new nonce. RFC 9449 §4.3, DP-01,
 * DP-02.
 */
export function requireProof(request: Request, { nonce, ...demand }: ProofDemand, deps: ProofDeps): Promise<string> {
  return requireProofWith(request, {
    ...demand,
    origin: deps.config.issuer,
    now: deps.now,
    sha256, // Node's own: Web Crypto is slower, and answers later
    spendOnce: (name, expiresAt) => deps.store.spendOnce(sha256(name), expiresAt),
    checkNonce: (sent) => {
      if (nonce && !isValidNonce(sent, deps)) throw nonceRequired(deps);
    },
  });
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

/** A nonce for the next proof: the sealed time, which every process can check and nobody can forge. RFC 9449 §8. */
export function mintNonce({ seal, now }: Pick<Deps, "seal" | "now">): string {
  return seal.seal(NONCE_PURPOSE, String(now()));
}

function isValidNonce(nonce: unknown, { seal, now }: Pick<Deps, "seal" | "now">): boolean {
  const mintedAt = typeof nonce === "string" ? seal.open(NONCE_PURPOSE, nonce) : undefined;
  return mintedAt !== undefined && now() - Number(mintedAt) < NONCE_SECONDS;
}

function nonceRequired(deps: Pick<Deps, "seal" | "now">): GuardError {
  return new GuardError("use_dpop_nonce", "dpop_nonce_missing", "no server nonce or an expired one", {
    description: "Put the nonce of the DPoP-Nonce header into the proof.",
    headers: { "DPoP-Nonce": mintNonce(deps) },
  });
}

/** Could this be a key thumbprint? */
export function isThumbprint(value: string): boolean {
  return /^[\w-]{43}$/.test(value);
}
