import type { ThrottleKey } from "./throttle-key.ts";

/** Rows per minute of one kind from one sender. */
const ROWS_PER_MINUTE = 60;
/** Pairs of kind and sender that are counted in one minute. Rows of further pairs are not allowed. */
const MAX_KEYS = 1000;
/** Rows per minute in total, so that the sweeper deletes faster than a flood from many senders can write. */
const MAX_ROWS = 5000;

/** Returns whether one more row of this kind is allowed for this sender, and counts it. `now` is in Unix seconds. */
export type RowLimiter = (kind: string, sender: ThrottleKey, now: number) => boolean;

/** Limits how many rows rejected requests may write. Its memory is bounded: all counts are dropped when the minute changes. */
export function createRowLimiter(rowsPerMinute = ROWS_PER_MINUTE, maxKeys = MAX_KEYS, maxRows = MAX_ROWS): RowLimiter {
  const counts = new Map<string, number>();
  let minute = -1;
  let rows = 0;

  return (kind, sender, now) => {
    const current = Math.floor(now / 60);
    if (current !== minute) {
      counts.clear();
      [minute, rows] = [current, 0];
    }
    const key = `${kind} ${sender}`;
    const count = counts.get(key);
    if (rows >= maxRows || (count === undefined && counts.size >= maxKeys)) return false;
    if (count !== undefined && count >= rowsPerMinute) return false;
    counts.set(key, (count ?? 0) + 1);
    rows += 1;
    return true;
  };
}
