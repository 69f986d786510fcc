import { createCipheriv, createDecipheriv, hkdfSync } from "node:crypto";
import type { Random } from "./secret.ts";

/**
 * Authenticated encryption, for values that leave the server and return, and for stored secrets that must be read back.
 * AZ-36.
 */
export type Seal = {
  /** Encrypts `value` for one purpose. Returns base64url. A value sealed for one purpose does not open for another. */
  seal(purpose: string, value: string): string;
  /** Returns the value; undefined when it was altered, or sealed for another purpose or under another key. */
  open(purpose: string, sealed: string): string | undefined;
  /** A key of 32 bytes for one purpose, for MACs of values that stay readable. */
  derive(purpose: string): Uint8Array;
};

const IV_BYTES = 12;
const TAG_BYTES = 16;

/** A seal under a key that HKDF-SHA-256 derives from `secret` (at least 32 bytes). */
export function createSeal(secret: string | Uint8Array, random: Random): Seal {
  return sealUnder(Buffer.from(hkdfSync("sha256", secret, "", "gatehouse seal v1", 32)), random);
}

/** An id of a secret that reveals nothing about it. Hex, 16 characters. */
export function keyIdOf(secret: string | Uint8Array): string {
  return Buffer.from(hkdfSync("sha256", secret, "", "gatehouse key id v1", 8)).toString("hex");
}

/**
 * AES-256-GCM under a key of 32 bytes.
 * Layout: iv (12) · ciphertext · tag (16); the purpose is the additional authenticated data.
 */
export function sealUnder(key: Uint8Array, random: Random): Seal {
  return {
    seal(purpose, value) {
      const iv = random(IV_BYTES);
      const cipher = createCipheriv("aes-256-gcm", key, iv).setAAD(Buffer.from(purpose));
      const ciphertext = Buffer.concat([cipher.update(value, "utf8"), cipher.final()]);
      return Buffer.concat([iv, ciphertext, cipher.getAuthTag()]).toString("base64url");
    },

    open(purpose, sealed) {
      const bytes = Buffer.from(sealed, "base64url");
      if (bytes.length < IV_BYTES + TAG_BYTES) return undefined;
      const decipher = createDecipheriv("aes-256-gcm", key, bytes.subarray(0, IV_BYTES), { authTagLength: TAG_BYTES })
        .setAAD(Buffer.from(purpose))
        .setAuthTag(bytes.subarray(-TAG_BYTES));
      try {
        const clear = decipher.update(bytes.subarray(IV_BYTES, -TAG_BYTES));
        return Buffer.concat([clear, decipher.final()]).toString("utf8");
      } catch {
        return undefined; // wrong tag: altered, or sealed elsewhere
      }
    },

    derive: (purpose) => new Uint8Array(hkdfSync("sha256", key, "", `gatehouse derive v1: ${purpose}`, 32)),
  };
}
