/** The seconds to wait after a job's failed attempt; `attempts` counts from 1, `random` is from 0 to 1. */
export type Backoff = (attempts: number, random: number) => number;

/**
 * Doubles from `firstSeconds` up to `mostSeconds`. Half of each wait is random, so that jobs which failed together do
 * not retry together.
 */
export function exponential({ firstSeconds, mostSeconds }: { firstSeconds: number; mostSeconds: number }): Backoff {
  return (attempts, random) => {
    const wait = Math.min(mostSeconds, firstSeconds * 2 ** (attempts - 1));
    return Math.ceil(wait / 2 + (wait / 2) * random);
  };
}

/** Fixed waits, one after each attempt; the last one repeats. */
export function steps(seconds: readonly [number, ...number[]]): Backoff {
  return (attempts) => seconds[Math.min(attempts, seconds.length) - 1] ?? seconds[0];
}
