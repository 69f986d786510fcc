import {
  importPublicJwk as importWith,
  type JwtClaims,
  type KeyCache,
  type PublicJwk,
  type PublicKey,
  type VerificationAlgorithm,
} from "@gatehouse/guard";
import { CompactSign, type CryptoKey } from "jose";
import type { SigningAlgorithm } from "../clients/options.ts";
import { sha256 } from "./secret.ts";

/**
 * Of keys that are registered or our own. Keys that come with requests have a cache of their own: anybody can fill
 * that.
 */
const registered: KeyCache = new Map();

/** Imports a registered key, or one of our own, as `importPublicJwk` of the guard does. */
export function importRegisteredJwk(jwk: PublicJwk, algorithm: VerificationAlgorithm): Promise<PublicKey | undefined> {
  return importWith(jwk, algorithm, registered, sha256);
}

/** Signs claims as a compact JWS; members that are undefined are left out. RFC 7515 §3.1. */
export function signCompact(
  { typ, kid, algorithm, claims }: { typ: string; kid: string; algorithm: SigningAlgorithm; claims: JwtClaims },
  key: CryptoKey,
): Promise<string> {
  const payload = Buffer.from(JSON.stringify(claims));
  return new CompactSign(payload).setProtectedHeader({ alg: algorithm, typ, kid }).sign(key);
}
