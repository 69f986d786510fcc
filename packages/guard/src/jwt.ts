import {
  type CryptoKey,
  calculateJwkThumbprint,
  compactVerify,
  decodeJwt,
  decodeProtectedHeader,
  errors,
  importJWK,
} from "jose";
import { setBounded } from "./bounded.ts";
import type { Sha256 } from "./sha256.ts";

/** A public key in JWK form. RFC 7517 §4. Never has a private member. */
export type PublicJwk = { kty: string; kid?: string; alg?: string; use?: string; [member: string]: unknown };

/** Claims of a JWT. Their types are unchecked: each reader checks what it uses. */
export type JwtClaims = { [name: string]: unknown };
export type JwtHeader = { alg: string; typ: string | undefined; kid: string | undefined; [member: string]: unknown };

/** A compact JWS, decoded but not verified: see {@link checkSignature}. */
export type Jwt = { header: JwtHeader; claims: JwtClaims; compact: string };

/** What others may sign with. RFC 7518 §3.1; `Ed25519` is the newer name of `EdDSA` with that curve, RFC 9864 §2.2. */
export type VerificationAlgorithm = "RS256" | "ES256" | "EdDSA" | "PS256" | "Ed25519";

const MAX_LENGTH = 16 * 1024;
const MIN_RSA_BITS = 2048;
/** Verifying costs time with the square of the length, and with the length of the exponent. */
const MAX_RSA_BITS = 4096;
const MAX_EXPONENT_BYTES = 8;

/** Base64url whose unused last bits are zero: otherwise several texts decode to one token. RFC 4648 §3.5. */
const SEGMENT = String.raw`(?:[\w-]{4})*(?:[\w-]{4}|[\w-][AQgw]|[\w-]{2}[AEIMQUYcgkosw048])`;
const COMPACT = new RegExp(String.raw`^${SEGMENT}\.${SEGMENT}\.${SEGMENT}$`);

/**
 * Decodes a compact JWS of at most 16 KiB without verifying it. Returns undefined unless header and payload are JSON
 * objects, with a string `alg` and no `crit`: no extension is supported (RFC 7515 §4.1.11).
 */
export function readJwt(compact: string): Jwt | undefined {
  if (compact.length > MAX_LENGTH || !COMPACT.test(compact)) return undefined;
  try {
    const { alg, typ, kid, ...header } = decodeProtectedHeader(compact);
    if (typeof alg !== "string" || !isOptionalString(typ) || !isOptionalString(kid) || "crit" in header)
      return undefined;
    return { header: { ...header, alg, typ, kid }, claims: decodeJwt(compact), compact };
  } catch {
    return undefined; // not JSON, or not an object
  }
}

/**
 * Whether `key` made the signature. The caller names the one algorithm it accepts; the header must agree, and its
 * `jwk`, `jku`, `x5u` and `x5c` are ignored. RFC 8725 §3.1, §3.10.
 */
export async function checkSignature(
  { compact }: Jwt,
  key: CryptoKey,
  algorithm: VerificationAlgorithm,
): Promise<boolean> {
  try {
    await compactVerify(compact, key, { algorithms: [algorithm] });
    return true;
  } catch (error) {
    if (error instanceof errors.JOSEError) return false;
    throw error;
  }
}

/** Members of a private or a shared key. RFC 7518 §6. */
const PRIVATE_MEMBERS = ["d", "p", "q", "dp", "dq", "qi", "oth", "k"];

/** Whether this is a JWK without anything secret in it. */
export function isPublicJwk(jwk: unknown): jwk is PublicJwk {
  if (typeof jwk !== "object" || jwk === null || !("kty" in jwk) || typeof jwk.kty !== "string") return false;
  return jwk.kty !== "oct" && !PRIVATE_MEMBERS.some((name) => name in jwk);
}

/** Which keys {@link hasSupportedLength} accepts, for the error of a registration. */
export const KEY_LENGTHS = `must contain RSA keys of ${MIN_RSA_BITS} to ${MAX_RSA_BITS} bits only`;

/**
 * Whether we verify with keys of this length: for RSA 2048 to 4096 bits and a short exponent, checked as written.
 * Others have one length.
 */
export function hasSupportedLength({ kty, n, e }: PublicJwk): boolean {
  if (kty !== "RSA") return true;
  const bytes = (value: unknown) => (typeof value === "string" ? Math.floor((value.length * 3) / 4) : 0);
  const leadingZero = 1;
  return bytes(n) >= MIN_RSA_BITS / 8 && bytes(n) <= MAX_RSA_BITS / 8 + leadingZero && bytes(e) <= MAX_EXPONENT_BYTES;
}

/** A public key, with its SHA-256 thumbprint in base64url. RFC 7638. */
export type PublicKey = { key: CryptoKey; thumbprint: string };

/**
 * Imported keys. Importing a key costs more than verifying with it, and clients sign with the same key again and again.
 */
export type KeyCache = Map<string, Promise<PublicKey | undefined>>;

const MAX_IMPORTED = 1000;

/**
 * Imports a JWK for one algorithm, once. Returns undefined unless it is a public key of the algorithm's type and curve,
 * with 2048 to 4096 bits for RSA. RFC 7518 §3.3, RFC 8725 §3.1.
 */
export async function importPublicJwk(
  jwk: PublicJwk,
  algorithm: VerificationAlgorithm,
  imported: KeyCache,
  sha256: Sha256,
): Promise<PublicKey | undefined> {
  if (!hasSupportedLength(jwk)) return undefined;
  const name = `${algorithm} ${await sha256(JSON.stringify(jwk))}`;
  const known = imported.get(name);
  if (known) return known;
  const key = importUncached(jwk, algorithm);
  setBounded(imported, name, key, MAX_IMPORTED);
  return key;
}

async function importUncached(jwk: PublicJwk, algorithm: VerificationAlgorithm): Promise<PublicKey | undefined> {
  try {
    const key = await importJWK(jwk, algorithm, { extractable: true });
    if (key instanceof Uint8Array || key.type !== "public" || isWrongLength(key)) return undefined;
    // Of the imported key, so that the spelling of the JWK does not matter.
    return { key, thumbprint: await calculateJwkThumbprint(key) };
  } catch {
    return undefined; // another type of key, or a point that is not on its curve
  }
}

function isWrongLength({ algorithm }: CryptoKey): boolean {
  if (!("modulusLength" in algorithm)) return false;
  const bits = Number(algorithm.modulusLength);
  return bits < MIN_RSA_BITS || bits > MAX_RSA_BITS;
}

function isOptionalString(value: unknown): value is string | undefined {
  return value === undefined || typeof value === "string";
}
