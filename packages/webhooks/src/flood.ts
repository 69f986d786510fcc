/** Who counts as one sender: the host makes it from the address, so that nobody counts a bare address. */
export type SenderKey = string & { readonly __brand: "ThrottleKey" };

/** Rows kept per minute of one kind from one sender; more are only counted. */
export const ROWS_PER_MINUTE = 60;
/** Kinds and senders remembered at a time. When a minute has seen more, hits from further ones are only counted. */
const MAX_KEYS = 1000;

/** Rows kept per minute altogether: from however many senders a flood comes, the sweeper removes more than it leaves. */
const MAX_ROWS = 5000;

/** Says whether a row of this kind still has room. `now` in Unix seconds. */
export type RowLimiter = (kind: string, sender: SenderKey, now: number) => boolean;

/** A limiter whose memory is bounded, whoever sends whatever: it forgets everything when the minute changes. */
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
