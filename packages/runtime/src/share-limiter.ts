import type { ThrottleKey } from "./throttle-key.ts";

/**
 * What senders may cause in a minute: `own` that nobody can take from one, `most` for one, and `shared` for what all
 * cause beyond their own. `senders`: how many are told apart; further ones have no share of their own.
 */
export type ShareLimits = { own: number; most: number; shared: number; senders: number };

/** Returns whether one more is allowed for this sender, and counts it. `now` is in Unix seconds. */
export type ShareLimiter = (sender: ThrottleKey, now: number) => boolean;

/**
 * Limits what strangers can cause without letting any of them lock out others: filling the common count leaves the
 * others' own shares untouched. Its memory is bounded: all counts are dropped when the minute changes.
 */
export function createShareLimiter({ own, most, shared, senders }: ShareLimits): ShareLimiter {
  const counts = new Map<ThrottleKey, number>();
  let minute = -1;
  let sharedCount = 0;

  return (sender, now) => {
    const current = Math.floor(now / 60);
    if (current !== minute) {
      counts.clear();
      [minute, sharedCount] = [current, 0];
    }
    const isKnown = counts.has(sender) || counts.size < senders;
    const count = counts.get(sender) ?? 0;
    if (count >= most) return false;
    if (!isKnown || count >= own) {
      if (sharedCount >= shared) return false;
      sharedCount += 1;
    }
    if (isKnown) counts.set(sender, count + 1);
    return true;
  };
}
