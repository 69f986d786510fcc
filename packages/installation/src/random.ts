import { randomFillSync } from "node:crypto";

const POOL_BYTES = 4096;

/**
 * Bytes from the system's secure source, fetched many at a time: each call into it costs more than the hash of a token.
 * No byte is handed out twice, and none stays in the pool once it was.
 */
export function createRandom(): (length: number) => Uint8Array {
  const pool = Buffer.alloc(POOL_BYTES);
  let used = POOL_BYTES;
  return (length) => {
    if (length > POOL_BYTES) return randomFillSync(Buffer.alloc(length));
    if (used + length > POOL_BYTES) {
      randomFillSync(pool);
      used = 0;
    }
    const bytes = Uint8Array.prototype.slice.call(pool, used, used + length);
    pool.fill(0, used, used + length);
    used += length;
    return bytes;
  };
}
