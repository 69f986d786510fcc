// By file, so that a bundle for a proxy gets nothing else of jose.
import type { CompactJWEHeaderParameters } from "jose";
import { compactDecrypt } from "jose/jwe/compact/decrypt";
import { CompactEncrypt } from "jose/jwe/compact/encrypt";

/** What a sealed cookie is for. Part of its key: no value is accepted for another purpose. */
export type Purpose = "session" | "sign-ins" | "sign-in demand";

/** Which value it is: sealed for one place, it opens at no other. */
export type SealedFor = { purpose: Purpose; clientId: string; name: string };

/** Seals and opens the values of one place. */
export type Seal = {
  seal(value: unknown): Promise<string>;
  /** Undefined for everything that this app did not seal for this place. Never throws. */
  open(sealed: string): Promise<unknown>;
};

type Key = { id: string; key: CryptoKey };
type CryptoKey = Awaited<ReturnType<typeof crypto.subtle.importKey>>;

const ALGORITHM = "dir";
const ENCRYPTION = "A256GCM";
const LIMITS = { keyManagementAlgorithms: [ALGORITHM], contentEncryptionAlgorithms: [ENCRYPTION] };
const encoder = new TextEncoder();
const decoder = new TextDecoder();

/**
 * A seal with keys derived from `secrets`, newest first: it seals with the first and opens with any, so that a secret can
 * be rotated. Compact JWE, RFC 7516 §3.1. The key and the protected header both name purpose, client and cookie. PK-11,
 * PK-26.
 */
export async function createSeal(secrets: readonly string[], place: SealedFor): Promise<Seal> {
  const keys = await Promise.all(secrets.map((secret) => deriveKey(secret, place)));
  const [newest] = keys;
  if (newest === undefined) throw new Error("a seal needs a secret");
  const { purpose, clientId, name } = place;
  const header = { alg: ALGORITHM, enc: ENCRYPTION, typ: purpose, aud: clientId, name, kid: newest.id };

  return {
    seal: (value) =>
      new CompactEncrypt(encoder.encode(JSON.stringify(value))).setProtectedHeader(header).encrypt(newest.key),
    async open(sealed) {
      try {
        const { plaintext, protectedHeader } = await compactDecrypt(
          sealed,
          ({ kid }: CompactJWEHeaderParameters) => findKey(keys, kid),
          LIMITS,
        );
        if (protectedHeader.typ !== purpose || protectedHeader["aud"] !== clientId) return undefined;
        return protectedHeader["name"] === name ? JSON.parse(decoder.decode(plaintext)) : undefined;
      } catch {
        return undefined; // forged, damaged, or of another key: whatever it was, it is not ours
      }
    },
  };
}

function findKey(keys: readonly Key[], id: unknown): CryptoKey {
  const found = keys.find((key) => key.id === id);
  if (found === undefined) throw new Error("sealed with an unknown key");
  return found.key;
}

/** HKDF-SHA256 (RFC 5869). The id says which secret it was, and nothing about it. */
async function deriveKey(secret: string, { purpose, clientId, name }: SealedFor): Promise<Key> {
  const source = await crypto.subtle.importKey("raw", encoder.encode(secret), "HKDF", false, ["deriveBits"]);
  const derive = (use: string, bits: number) => {
    const info = encoder.encode(JSON.stringify(["gatehouse sdk", use, purpose, clientId, name]));
    return crypto.subtle.deriveBits({ name: "HKDF", hash: "SHA-256", salt: new Uint8Array(), info }, source, bits);
  };
  const [bytes, id] = await Promise.all([derive("key", 256), derive("key id", 48)]);
  const key = await crypto.subtle.importKey("raw", bytes, "AES-GCM", false, ["encrypt", "decrypt"]);
  return { key, id: base64url(new Uint8Array(id)) };
}

/** RFC 4648 §5, without padding. */
export function base64url(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes))
    .replaceAll("+", "-")
    .replaceAll("/", "_")
    .replaceAll("=", "");
}
