import { createCipheriv, createDecipheriv, hkdfSync } from "node:crypto";
import type { Random } from "./secret.ts";

/**
 * Authenticated encryption, for values that leave the server and return, and for stored secrets that must be read back.
 * AZ-36.
 */
export type Seal = {
  /**
   * Encrypts `value` for one purpose, under the current secret. Returns base64url. A value sealed for one purpose does
   * not open for another.
   */
  seal(purpose: string, value: string): string;
  /** Returns the value; undefined when it was altered, or sealed for another purpose or under an unknown secret. */
  open(purpose: string, sealed: string): string | undefined;
  /** What is derived from each secret: the current one first. */
  keys: readonly [SealKey, ...SealKey[]];
};

/** One of an installation's secrets. */
export type SealKey = {
  /** See {@link keyIdOf}. */
  id: string;
  /** A key of 32 bytes for one purpose, for MACs of values that stay readable. */
  derive(purpose: string): Uint8Array;
};

const IV_BYTES = 12;
const TAG_BYTES = 16;
/** Another one is opened a minor release before it is written, so that two releases run side by side. OP-66 */
const VERSION = 1;
/** Of the text of the header: version (1) · key id (8). Nine bytes end where a character of base64url does. */
const HEADER_CHARACTERS = 12;

/**
 * A seal under a key that HKDF-SHA-256 derives from `secret` (at least 32 bytes). It also opens what was sealed under
 * the `previous` ones. OP-15 (decision 0036).
 *
 * Layout: version (1) · key id (8) · iv (12) · ciphertext · tag (16). The header says which key to open with, and is
 * authenticated with the purpose.
 */
export function createSeal(secret: string | Uint8Array, random: Random, previous: readonly string[] = []): Seal {
  const current = keyOf(secret, random);
  const keys = [current, ...previous.map((one) => keyOf(one, random))] as const;
  const byHeader = new Map(keys.map((key) => [key.header, key]));
  return {
    keys,
    seal: (purpose, value) => current.header + current.box.seal(current.header + purpose, value),

    open(purpose, sealed) {
      const key = byHeader.get(sealed.slice(0, HEADER_CHARACTERS));
      return key?.box.open(key.header + purpose, sealed.slice(HEADER_CHARACTERS));
    },
  };
}

function keyOf(secret: string | Uint8Array, random: Random): SealKey & { header: string; box: Box } {
  const key = Buffer.from(hkdfSync("sha256", secret, "", "gatehouse seal v1", 32));
  const id = keyIdOf(secret);
  return {
    id,
    header: sealHeader(id),
    box: sealUnder(key, random),
    derive: (purpose) => new Uint8Array(hkdfSync("sha256", key, "", `gatehouse derive v1: ${purpose}`, 32)),
  };
}

/** An id of a secret that reveals nothing about it. Hex, 16 characters. */
export function keyIdOf(secret: string | Uint8Array): string {
  return Buffer.from(hkdfSync("sha256", secret, "", "gatehouse key id v1", 8)).toString("hex");
}

/** What every value begins with that is sealed under the secret with this id. Base64url, 12 characters. */
export function sealHeader(keyId: string): string {
  return Buffer.concat([Buffer.of(VERSION), Buffer.from(keyId, "hex")]).toString("base64url");
}

/** The id in the header of a sealed value; undefined for text that is none. */
export function keyIdOfSealed(sealed: string): string | undefined {
  const header = Buffer.from(sealed.slice(0, HEADER_CHARACTERS), "base64url");
  return header.length === 9 && header[0] === VERSION ? header.subarray(1).toString("hex") : undefined;
}

/** What encrypts under one key, without a header. */
export type Box = Pick<Seal, "seal" | "open">;

/**
 * AES-256-GCM under a key of 32 bytes.
 * Layout: iv (12) · ciphertext · tag (16); the purpose is the additional authenticated data.
 */
export function sealUnder(key: Uint8Array, random: Random): Box {
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
  };
}
