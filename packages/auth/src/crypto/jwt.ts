import { constants, createHash, createPublicKey, type KeyObject, sign, verify } from "node:crypto";
import { promisify } from "node:util";
import type { PublicJwk, SigningAlgorithm } from "../clients/options.ts";

/** Claims of a JWT, not yet judged: whoever reads one checks its type. */
export type JwtClaims = { [name: string]: unknown };
export type JwtHeader = { alg: string; typ: string | undefined; kid: string | undefined; [member: string]: unknown };

/** A compact JWS taken apart; nothing of it is proven until {@link checkSignature} says so. */
export type Jwt = { header: JwtHeader; claims: JwtClaims; signed: string; signature: Buffer };

const MAX_LENGTH = 16 * 1024;
const SEGMENT = /^[A-Za-z0-9_-]+$/;

/** What others may sign with. RFC 7518 §3.5; `Ed25519` is the newer name of what `EdDSA` is here, RFC 9864 §2.2. */
export type VerificationAlgorithm = SigningAlgorithm | "PS256" | "Ed25519";

const HASH: Record<VerificationAlgorithm, string | null> = {
  RS256: "sha256",
  PS256: "sha256",
  ES256: "sha256",
  EdDSA: null,
  Ed25519: null,
};
const PSS = { padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: constants.RSA_PSS_SALTLEN_DIGEST };
/** What a key must be to serve an algorithm, so that no key is used for another than its own. RFC 8725 §3.1. */
const KEY_TYPE: Record<VerificationAlgorithm, string> = { RS256: "rsa", PS256: "rsa", ES256: "ec", EdDSA: "ed25519", Ed25519: "ed25519" };
const MIN_RSA_BITS = 2048;

const signAsync = promisify<string | null, Uint8Array, Parameters<typeof sign>[2], Buffer>(sign);

/**
 * Takes a compact JWS apart. Undefined unless it is three canonical base64url segments whose first two are JSON objects,
 * with a string `alg` and no `crit`, since we understand no extension (RFC 7515 §4.1.11). Proves nothing.
 */
export function readJwt(token: string): Jwt | undefined {
  const segments = token.length > MAX_LENGTH ? [] : token.split(".");
  const [head, body, tail] = segments;
  if (segments.length !== 3 || head === undefined || body === undefined || tail === undefined) return undefined;
  const header = readObject(head);
  const claims = readObject(body);
  const signature = decode(tail);
  if (!header || !claims || !signature || "crit" in header) return undefined;
  const { alg, typ, kid } = header;
  if (typeof alg !== "string" || !isOptionalString(typ) || !isOptionalString(kid)) return undefined;
  return { header: { ...header, alg, typ, kid }, claims, signed: `${head}.${body}`, signature };
}

/**
 * Is the signature by this key? The caller names the algorithm it allows for the key: the header's `alg` only has to agree,
 * and `jwk`, `jku`, `x5u` and `x5c` in it are never looked at. RFC 8725 §3.1, §3.10.
 */
export function checkSignature({ header, signed, signature }: Jwt, key: KeyObject, algorithm: VerificationAlgorithm): boolean {
  if (header.alg !== algorithm || !serves(key, algorithm)) return false;
  return verify(HASH[algorithm], Buffer.from(signed), { key, dsaEncoding: "ieee-p1363", ...(algorithm === "PS256" && PSS) }, signature);
}

/** Signs claims as a compact JWS. RFC 7515 §3.1; ECDSA signatures in the fixed-length form of RFC 7518 §3.4. */
export async function signCompact(
  { typ, kid, algorithm, claims }: { typ: string; kid: string; algorithm: SigningAlgorithm; claims: JwtClaims },
  key: KeyObject,
): Promise<string> {
  const signed = `${encode({ alg: algorithm, typ, kid })}.${encode(claims)}`;
  const signature = await signAsync(HASH[algorithm], Buffer.from(signed), { key, dsaEncoding: "ieee-p1363" });
  return `${signed}.${signature.toString("base64url")}`;
}

/** May this key be used with this algorithm? Kind and curve have to fit, and RSA to be large enough. RFC 7518 §3.3. */
export function serves(key: KeyObject, algorithm: VerificationAlgorithm): boolean {
  const { asymmetricKeyType: type, asymmetricKeyDetails: details } = key;
  if (type !== KEY_TYPE[algorithm]) return false;
  if (type === "rsa") return (details?.modulusLength ?? 0) >= MIN_RSA_BITS;
  return type !== "ec" || details?.namedCurve === "prime256v1";
}

/** A published key, ready to verify with; undefined when it is no usable public key. */
export function importPublicJwk(jwk: PublicJwk): KeyObject | undefined {
  try {
    const key = createPublicKey({ key: publicMembers(jwk), format: "jwk" });
    return key.type === "public" ? key : undefined;
  } catch {
    return undefined; // an unknown kind, or a point that is not on its curve
  }
}

/** The members that make the public key, by kind and in the order of RFC 7638 §3.2. */
const MEMBERS: Record<string, readonly string[]> = { RSA: ["e", "kty", "n"], EC: ["crv", "kty", "x", "y"], OKP: ["crv", "kty", "x"] };

/** Nothing but what defines the public key; private members do not survive. */
export function publicMembers(jwk: PublicJwk): PublicJwk {
  const kept = (MEMBERS[jwk.kty] ?? ["kty"]).map((name) => [name, jwk[name]]);
  return { kty: jwk.kty, ...Object.fromEntries(kept) };
}

/** The key's SHA-256 thumbprint, base64url: its name wherever a key is referred to. RFC 7638. */
export function thumbprint(jwk: PublicJwk): string {
  const names = MEMBERS[jwk.kty] ?? [];
  const canonical = JSON.stringify(Object.fromEntries(names.map((name) => [name, jwk[name]])));
  return createHash("sha256").update(canonical).digest("base64url");
}

function encode(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString("base64url");
}

/** Strict: what decodes to the same bytes but is written otherwise would make two texts of one token. */
function decode(segment: string): Buffer | undefined {
  if (!SEGMENT.test(segment)) return undefined;
  const bytes = Buffer.from(segment, "base64url");
  return bytes.toString("base64url") === segment ? bytes : undefined;
}

function readObject(segment: string): { [member: string]: unknown } | undefined {
  try {
    const value: unknown = JSON.parse(decode(segment)?.toString("utf8") ?? "");
    return typeof value === "object" && value !== null && !Array.isArray(value) ? { ...value } : undefined;
  } catch {
    return undefined; // not JSON
  }
}

function isOptionalString(value: unknown): value is string | undefined {
  return value === undefined || typeof value === "string";
}
