import {
  CompactSign,
  type CryptoKey,
  calculateJwkThumbprint,
  compactVerify,
  decodeJwt,
  decodeProtectedHeader,
  errors,
  importJWK,
} from "jose";
import type { PublicJwk, SigningAlgorithm } from "../clients/options.ts";
import { sha256 } from "./secret.ts";

/** Claims of a JWT. Their types are unchecked: each reader checks what it uses. */
export type JwtClaims = { [name: string]: unknown };
export type JwtHeader = { alg: string; typ: string | undefined; kid: string | undefined; [member: string]: unknown };

/** A compact JWS, decoded but not verified: see {@link checkSignature}. */
export type Jwt = { header: JwtHeader; claims: JwtClaims; compact: string };

/** What others may sign with. RFC 7518 §3.1; `Ed25519` is the newer name of `EdDSA` with that curve, RFC 9864 §2.2. */
export type VerificationAlgorithm = SigningAlgorithm | "PS256" | "Ed25519";

const MAX_LENGTH = 16 * 1024;
const MIN_RSA_BITS = 2048;

/** Base64url whose unused last bits are zero: otherwise several texts decode to one token. RFC 4648 §3.5. */
const SEGMENT = String.raw`(?:[\w-]{4})*(?:[\w-]{4}|[\w-][AQgw]|[\w-]{2}[AEIMQUYcgkosw048])`;
const COMPACT = new RegExp(String.raw`^${SEGMENT}\.${SEGMENT}\.${SEGMENT}$`);

/**
 * Decodes a compact JWS of at most 16 KiB without verifying it. Returns undefined unless header and payload are JSON objects,
 * with a string `alg` and no `crit`: no extension is supported (RFC 7515 §4.1.11).
 */
export function readJwt(compact: string): Jwt | undefined {
  if (compact.length > MAX_LENGTH || !COMPACT.test(compact)) return undefined;
  try {
    const { alg, typ, kid, ...header } = decodeProtectedHeader(compact);
    if (typeof alg !== "string" || !isOptionalString(typ) || !isOptionalString(kid) || "crit" in header) return undefined;
    return { header: { ...header, alg, typ, kid }, claims: decodeJwt(compact), compact };
  } catch {
    return undefined; // not JSON, or not an object
  }
}

/**
 * Whether `key` made the signature. The caller names the one algorithm it accepts; the header must agree, and its `jwk`, `jku`,
 * `x5u` and `x5c` are ignored. RFC 8725 §3.1, §3.10.
 */
export async function checkSignature({ compact }: Jwt, key: CryptoKey, algorithm: VerificationAlgorithm): Promise<boolean> {
  try {
    await compactVerify(compact, key, { algorithms: [algorithm] });
    return true;
  } catch (error) {
    if (error instanceof errors.JOSEError) return false;
    throw error;
  }
}

/** Signs claims as a compact JWS; members that are undefined are left out. RFC 7515 §3.1. */
export function signCompact(
  { typ, kid, algorithm, claims }: { typ: string; kid: string; algorithm: SigningAlgorithm; claims: JwtClaims },
  key: CryptoKey,
): Promise<string> {
  const payload = Buffer.from(JSON.stringify(claims));
  return new CompactSign(payload).setProtectedHeader({ alg: algorithm, typ, kid }).sign(key);
}

/** Members of a private or a shared key. RFC 7518 §6. */
const PRIVATE_MEMBERS = ["d", "p", "q", "dp", "dq", "qi", "oth", "k"];

/** Whether this is a JWK without anything secret in it. */
export function isPublicJwk(jwk: unknown): jwk is PublicJwk {
  if (typeof jwk !== "object" || jwk === null || !("kty" in jwk) || typeof jwk.kty !== "string") return false;
  return jwk.kty !== "oct" && !PRIVATE_MEMBERS.some((name) => name in jwk);
}

/** A public key, with its SHA-256 thumbprint in base64url. RFC 7638. */
export type PublicKey = { key: CryptoKey; thumbprint: string };

/** Importing a key costs more than verifying with it, and clients sign with the same key again and again. */
const imported = new Map<string, Promise<PublicKey | undefined>>();
const MAX_IMPORTED = 1000;

/**
 * Imports a JWK for one algorithm. Returns undefined unless it is a public key of the algorithm's type and curve, with 2048 bits or
 * more for RSA. RFC 7518 §3.3, RFC 8725 §3.1.
 */
export function importPublicJwk(jwk: PublicJwk, algorithm: VerificationAlgorithm): Promise<PublicKey | undefined> {
  const name = `${algorithm} ${sha256(JSON.stringify(jwk))}`;
  const known = imported.get(name);
  if (known) return known;
  if (imported.size >= MAX_IMPORTED) for (const oldest of imported.keys()) if (imported.delete(oldest)) break;
  const key = importUncached(jwk, algorithm);
  imported.set(name, key);
  return key;
}

async function importUncached(jwk: PublicJwk, algorithm: VerificationAlgorithm): Promise<PublicKey | undefined> {
  try {
    const key = await importJWK(jwk, algorithm, { extractable: true });
    if (key instanceof Uint8Array || key.type !== "public" || isShort(key)) return undefined;
    // Of the imported key, so that the spelling of the JWK does not matter.
    return { key, thumbprint: await calculateJwkThumbprint(key) };
  } catch {
    return undefined; // another type of key, or a point that is not on its curve
  }
}

function isShort({ algorithm }: CryptoKey): boolean {
  return "modulusLength" in algorithm && Number(algorithm.modulusLength) < MIN_RSA_BITS;
}

function isOptionalString(value: unknown): value is string | undefined {
  return value === undefined || typeof value === "string";
}
