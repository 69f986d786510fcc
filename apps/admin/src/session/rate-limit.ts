import { createHash } from "node:crypto";

/**
 * A session can call this many procedures at once, and from then on this many a second: far more than a person needs.
 * CO-94.
 */
const BURST = 400;
const PER_SECOND = 20;
/** With more sessions than this, those that have waited longest start afresh. */
const MOST_SESSIONS = 10_000;

type Bucket = { tokens: number; atMs: number };

// The routes are separate bundles in one process, so shared state lives on the global object.
const shared = globalThis as typeof globalThis & { gatehouseBuckets?: Map<string, Bucket> };

/**
 * Counts `calls` of the session with this token. Returns undefined if they are allowed, or after how many seconds they
 * are. `nowMs` is a monotonic time.
 */
export function secondsToWait(
  sessionToken: string,
  calls: number,
  nowMs: number = performance.now(),
): number | undefined {
  shared.gatehouseBuckets ??= new Map();
  const buckets = shared.gatehouseBuckets;
  const key = createHash("sha256").update(sessionToken).digest("base64");
  const known = buckets.get(key) ?? { tokens: BURST, atMs: nowMs };
  const tokens = Math.min(BURST, known.tokens + ((nowMs - known.atMs) / 1000) * PER_SECOND);
  const allowed = tokens >= calls;

  buckets.delete(key); // the map is in the order of the last use
  buckets.set(key, { tokens: allowed ? tokens - calls : tokens, atMs: nowMs });
  if (buckets.size > MOST_SESSIONS) buckets.delete(buckets.keys().next().value ?? key);
  return allowed ? undefined : Math.ceil((calls - tokens) / PER_SECOND);
}
