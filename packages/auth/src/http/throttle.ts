import type { ThrottleKey } from "./throttle-key.ts";

/** Counts failures under a key for all processes together, and answers with the seconds to wait: 0 while below the limit. */
export type FailureCounter = { fail(key: ThrottleKey): Promise<number> };

/** Slows down callers that fail too often, or do too often what anybody may do. OAuth 2.1 §2.4.1, TK-13. */
export type Throttle = {
  /** Seconds until the key may try again; 0 when it may now. Asks nobody, so that good requests cost nothing. */
  waitSeconds(key: ThrottleKey): number;
  /** Counts a failed try, or one that counts like one. */
  failed(key: ThrottleKey): Promise<void>;
};

const REMEMBERED = 10_000;

/**
 * A throttle over a counter. Failures are counted at once; that a key is over its limit is remembered here, so another
 * process learns of it with the next failure that it sees itself.
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
      if (blockedUntil.size >= REMEMBERED) blockedUntil.clear(); // the counter still knows them all
      blockedUntil.set(key, now() + waitSeconds);
    },
  };
}
