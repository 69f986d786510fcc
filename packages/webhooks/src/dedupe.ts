import { createHash } from "node:crypto";

/** The key under which an event is stored: the first 16 bytes of SHA-256 of its dedupe key, such as `id:evt_1`. OP-38. */
export function eventKeyOf(dedupeKey: string): Uint8Array {
  return createHash("sha256").update(dedupeKey).digest().subarray(0, 16);
}
