import { randomFillSync } from "node:crypto";

const POOL_BYTES = 4096;

/**
 * Bytes from the system's secure source, fetched in batches: one call costs more than hashing a token. No byte is
 * returned twice, and bytes are erased from the pool once they were returned.
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
