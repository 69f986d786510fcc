import { setTimeout as pause } from "node:timers/promises";

/**
 * Runs statements of the sweeper one after the other and rests after each for at least as long as it took, so that the
 * sweeper is busy at most half of the time. A slow database gets more rest. One that found no rows to delete takes no
 * rest but that. OP-36.
 */
export type Pace = {
  /** Runs `statement` when the rest after the one before is over. */
  run<Value>(statement: () => Promise<Value>): Promise<Value>;
  /** The process is stopping: start no other statement. The next sweep continues. */
  readonly stopped: boolean;
};

type PaceOptions = {
  /** How long a rest takes at least after a statement that found rows. */
  shortestMs: number;
  /** Ends a rest when it is aborted. */
  signal?: AbortSignal;
  rest?: (ms: number, signal: AbortSignal | undefined) => Promise<void>;
};

/** Rests only when another statement follows. */
export function createPace({ shortestMs, signal, rest = pauseFor }: PaceOptions): Pace {
  let owedMs = 0;
  return {
    async run(statement) {
      if (owedMs > 0 && !signal?.aborted) await rest(owedMs, signal);
      const began = performance.now();
      let foundNothing = false;
      try {
        const value = await statement();
        foundNothing = Array.isArray(value) && value.length === 0;
        return value;
      } finally {
        owedMs = Math.max(foundNothing ? 0 : shortestMs, performance.now() - began);
      }
    },
    get stopped() {
      return signal?.aborted ?? false;
    },
  };
}

/** Runs without rests, and until the end. */
export const UNPACED: Pace = { run: (statement) => statement(), stopped: false };

async function pauseFor(ms: number, signal: AbortSignal | undefined): Promise<void> {
  await pause(ms, undefined, signal && { signal }).catch(() => {}); // aborted
}
