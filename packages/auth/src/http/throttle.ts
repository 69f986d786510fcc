import { setBounded } from "@gatehouse/guard";
import type { ThrottleKey } from "@gatehouse/runtime";

/** Counts failures per key across all processes. Resolves to the seconds to wait: 0 below the limit. */
export type FailureCounter = { fail(key: ThrottleKey): Promise<number> };

/** A rate limit on failures, or on actions that count as one. OAuth 2.1 §2.4.1, TK-13. */
export type Throttle = {
  /** Seconds until the key may try again; 0 for now. Reads memory only, so that good requests cost nothing. */
  waitSeconds(key: ThrottleKey): number;
  /** Counts a failed attempt, or an action that counts as one. */
  failed(key: ThrottleKey): Promise<void>;
};

const MAX_BLOCKED = 10_000;

/**
 * Makes a throttle from a counter. Each process caches which keys are over their limit, so another process learns of it
 * at the next failure it sees.
 */
export function createThrottle(counter: FailureCounter, now: () => number): Throttle {
  const blockedUntil = new Map<ThrottleKey, number>();

  return {
    waitSeconds(key) {
      const until = blockedUntil.get(key);
      if (until === undefined) return 0;
      if (until > now()) return until - now();
      blockedUntil.delete(key);
      return 0;
    },

    async failed(key) {
      const waitSeconds = await counter.fail(key);
      if (waitSeconds <= 0) return;
      setBounded(blockedUntil, key, now() + waitSeconds, MAX_BLOCKED); // the counter still has the dropped one
    },
  };
}
