import * as crypto from "node:crypto";

/** The length of every event key. */
export const EVENT_KEY_BYTES = 24;

const ID_BYTES = 8;
/** Where an id can begin at the latest, after the environment, `id:` and the provider's own prefix, such as `evt_`. */
const MAX_PREFIX = 24;

/**
 * The key under which an event is stored: how its id begins, and the first 16 bytes of SHA-256 of its dedupe key, such
 * as `id:evt_1`. OP-38.
 *
 * The hash identifies the event; the beginning gives it a place. The ids of most providers (Stripe's, Svix's, ULIDs,
 * UUIDv7) begin with their time, so new events are neighbours in the table, where hashes alone would put each on a page
 * of its own. A change of this function makes every stored event new.
 */
export function eventKeyOf(dedupeKey: string): Uint8Array {
  const start = startOfId(dedupeKey);
  const beginning = dedupeKey.slice(start, start + ID_BYTES).padEnd(ID_BYTES);
  return Buffer.from(beginning + sha256(dedupeKey).slice(0, EVENT_KEY_BYTES - ID_BYTES), "binary");
}

function startOfId(dedupeKey: string): number {
  return 1 + Math.max(dedupeKey.lastIndexOf("_", MAX_PREFIX - 1), dedupeKey.lastIndexOf(":", MAX_PREFIX - 1));
}

/**
 * One character for each byte: a buffer of the hash would be an allocation outside of Node's pool. Newer versions of
 * Node hash in one call.
 */
const sha256: (text: string) => string =
  typeof crypto.hash === "function"
    ? (text) => crypto.hash("sha256", text, "binary")
    : (text) => crypto.createHash("sha256").update(text).digest("binary");
