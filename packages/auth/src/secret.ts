import crypto, { createHash, timingSafeEqual } from "node:crypto";

/** SHA-256 of a generated secret, base64url. Only {@link sha256} makes one, so a clear secret cannot reach the store. */
export type Hash = string & { readonly __brand: "Hash" };

/** Returns `length` bytes from a cryptographically secure source. */
export type Random = (length: number) => Uint8Array;

/** What a generated secret is for; the prefix lets secret scanners and log filters recognise it. */
export const PREFIX = {
  accessToken: "gat_",
  refreshToken: "grt_",
  authorizationCode: "gac_",
  deviceCode: "gdc_",
  clientSecret: "gcs_",
  session: "gse_",
  /** Allows registering clients. RFC 7591 §3. */
  initialAccessToken: "gia_",
  /** Allows managing the one client it was issued with. RFC 7592 §1.2. */
  registrationToken: "grg_",
} as const;

/** One call, in a third of the time of the three, where Node has it (20.12). */
const hashOnce: ((algorithm: string, data: string, encoding: "base64url") => string) | undefined = crypto.hash;

/** Hash of a generated, high-entropy secret as it is stored. Never for passwords: those are argon2id. */
export function sha256(secret: string): Hash {
  return (hashOnce?.("sha256", secret, "base64url") ?? createHash("sha256").update(secret).digest("base64url")) as Hash;
}

/** A new secret with 256 bits of entropy, in `[A-Za-z0-9_-]`, and the hash under which it is stored. OAuth 2.1 §7.7. */
export function mintSecret(kind: keyof typeof PREFIX, random: Random): { secret: string; hash: Hash } {
  const secret = PREFIX[kind] + Buffer.from(random(32)).toString("base64url");
  return { secret, hash: sha256(secret) };
}

/** A new row id: 128 random bits, base64url, 22 characters. Not a secret. */
export function mintId(random: Random): string {
  return Buffer.from(random(16)).toString("base64url");
}

/** Constant-time equality of two texts of any length. */
export function sameText(a: string, b: string): boolean {
  const left = createHash("sha256").update(a).digest();
  const right = createHash("sha256").update(b).digest();
  return timingSafeEqual(left, right);
}
