import { createHmac, createPublicKey, timingSafeEqual, verify as verifySignature } from "node:crypto";
import type { Adapter, Claim, Key, Signature } from "./providers/adapter.ts";
import type { ProviderSecret } from "./store.ts";

export type UsableSecret = { id: string; keys: readonly Key[] };

/** The secrets with key material. A blank secret has none: an empty HMAC key would verify any forgery. */
export function usableSecrets(adapter: Adapter, secrets: readonly ProviderSecret[]): UsableSecret[] {
  return secrets.flatMap(({ id, value }) => {
    const trimmed = value.trim(); // a pasted newline is a common mistake
    if (trimmed === "" || /\s/.test(trimmed)) return [];
    const keys = adapter.keysOf(trimmed);
    return keys.length > 0 ? [{ id, keys }] : [];
  });
}

/** Returns the id of the first secret with which a signature matches the raw bytes; undefined if there is none. */
export function findSigner(claim: Claim & { kind: "signed" }, body: Uint8Array, secrets: readonly UsableSecret[]): string | undefined {
  const prefix = Buffer.from(claim.prefix);
  return secrets.find(({ keys }) => keys.some((key) => matches(key, claim.signatures, prefix, body)))?.id;
}

function matches(key: Key, signatures: readonly Signature[], prefix: Uint8Array, body: Uint8Array): boolean {
  const candidates = signatures.filter(({ algorithm }) => algorithm === key.algorithm);
  if (candidates.length === 0) return false;

  if (key.algorithm === "hmac-sha256") {
    const expected = createHmac("sha256", key.bytes).update(prefix).update(body).digest();
    return candidates.some(({ bytes }) => bytes.length === expected.length && timingSafeEqual(bytes, expected));
  }
  const jwk = { kty: "OKP", crv: "Ed25519", x: Buffer.from(key.bytes).toString("base64url") };
  const publicKey = createPublicKey({ key: jwk, format: "jwk" });
  const message = Buffer.concat([prefix, body]);
  return candidates.some(({ bytes }) => verifySignature(null, message, publicKey, bytes));
}
