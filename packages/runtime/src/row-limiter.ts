import type { ThrottleKey } from "./throttle-key.ts";

/** Rows per minute of one kind from one sender. */
const ROWS_PER_MINUTE = 60;
/** Pairs of kind and sender that are counted in one minute. Rows of further pairs are not allowed. */
const MAX_KEYS = 1000;
/** Rows per minute in total, so that the sweeper deletes faster than a flood from many senders can write. */
const MAX_ROWS = 5000;
/** Rows per minute of all kinds from one sender. */
const ROWS_PER_SENDER = 180;

/** Returns whether one more row of this kind is allowed for this sender, and counts it. `now` is in Unix seconds. */
export type RowLimiter = (kind: string, sender: ThrottleKey, now: number) => boolean;

/**
 * Limits how many rows rejected requests may write. Its memory is bounded: all counts are dropped when the minute
 * changes.
 */
export function createRowLimiter(
  rowsPerMinute = ROWS_PER_MINUTE,
  maxKeys = MAX_KEYS,
  maxRows = MAX_ROWS,
  rowsPerSender = ROWS_PER_SENDER,
): RowLimiter {
  const counts = new Map<string, number>();
  const senders = new Map<string, number>();
  let minute = -1;
  let rows = 0;

  return (kind, sender, now) => {
    const current = Math.floor(now / 60);
    if (current !== minute) {
      counts.clear();
      senders.clear();
      [minute, rows] = [current, 0];
    }
    const key = `${kind} ${sender}`;
    const count = counts.get(key);
    if (rows >= maxRows || (count === undefined && counts.size >= maxKeys)) return false;
    const ofSender = senders.get(sender) ?? 0;
    if ((count !== undefined && count >= rowsPerMinute) || ofSender >= rowsPerSender) return false;
    counts.set(key, (count ?? 0) + 1);
    senders.set(sender, ofSender + 1);
    rows += 1;
    return true;
  };
}
