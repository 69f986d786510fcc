import * as crypto from "node:crypto";

/** The key under which an event is stored: the first 16 bytes of SHA-256 of its dedupe key, such as `id:evt_1`. OP-38. */
export function eventKeyOf(dedupeKey: string): Uint8Array {
  return Buffer.from(sha256(dedupeKey).slice(0, 16), "binary");
}

/** One character for each byte: a buffer of the hash would be an allocation outside of Node's pool. Newer versions of Node hash in one call. */
const sha256: (text: string) => string =
  typeof crypto.hash === "function"
    ? (text) => crypto.hash("sha256", text, "binary")
    : (text) => crypto.createHash("sha256").update(text).digest("binary");
