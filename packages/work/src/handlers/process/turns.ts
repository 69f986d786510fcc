import { setTimeout as pause } from "node:timers/promises";

/** Lets one caller in at a time. */
export type Turns = {
  /**
   * Resolves to a function that ends the turn, or to undefined if others had it for `withinMs`. Rejects when `signal`
   * is aborted.
   */
  take(withinMs: number, signal: AbortSignal): Promise<(() => void) | undefined>;
};

export function createTurns(): Turns {
  let free: Promise<void> | undefined;

  return {
    async take(withinMs, signal) {
      const until = performance.now() + withinMs;
      while (free) {
        const left = until - performance.now();
        if (left <= 0) return undefined;
        await Promise.race([free, pause(left, undefined, { signal })]);
      }
      let end = () => {};
      free = new Promise((resolve) => {
        end = () => {
          free = undefined;
          resolve();
        };
      });
      return end;
    },
  };
}
