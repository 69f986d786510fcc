import { createTurns, OAuthError } from "@gatehouse/auth";
import type { ThrottleKey } from "@gatehouse/runtime";
import { metrics } from "@gatehouse/runtime/metrics";
import { tracing } from "@gatehouse/runtime/tracing";

/** How much may run and wait at once. */
export type HashQueueLimits = {
  /** Jobs at once. */
  concurrency: number;
  waiting?: number;
  /** How long a job may wait for its turn. */
  waitMs?: number;
};

const MOST_WAITING = 64;
const WAIT_MS = 2000;
const RETRY_AFTER_SECONDS = 2;

/** Runs jobs with limited memory and threads; see {@link createHashQueue}. `asker`: who takes turns with others. */
export type HashQueue = {
  run<Value>(job: () => Promise<Value>, asker: ThrottleKey): Promise<Value>;
  /** Throws the 503 of `run` if a job of this asker would get no place now. */
  demandPlace(asker: ThrottleKey): void;
};

/**
 * A queue for work that needs much memory and a thread each: at most `concurrency` jobs run, 64 wait, each for 2
 * seconds. Askers take turns, and when too many jobs wait, the asker with the most loses its newest: a network that
 * tries thousands of passwords does not lock others out. A permit belongs to its job: it is free again when the job
 * ends, not when its request does. `run` throws a 503 for a job without a place or a turn. PW-06.
 */
export function createHashQueue({ concurrency, waiting = MOST_WAITING, waitMs = WAIT_MS }: HashQueueLimits): HashQueue {
  const takeTurn = createTurns({
    places: concurrency,
    perAsker: concurrency,
    perHost: concurrency,
    maxWaiting: waiting,
  });

  const waitingOf = new Map<ThrottleKey, number>();
  let waitingInAll = 0;
  const queued = metrics.hashQueue.series();
  const seconds = metrics.passwordHash.series();

  function countWaiting(asker: ThrottleKey, by: 1 | -1): void {
    queued.add(by);
    waitingInAll += by;
    const ofAsker = (waitingOf.get(asker) ?? 0) + by;
    if (ofAsker === 0) waitingOf.delete(asker);
    else waitingOf.set(asker, ofAsker);
  }

  async function turnOf(asker: ThrottleKey): Promise<() => void> {
    countWaiting(asker, 1);
    try {
      return await takeTurn({ asker, host: "" }, AbortSignal.timeout(waitMs));
    } catch (thrown) {
      throw busy(thrown instanceof Error ? thrown.message : String(thrown));
    } finally {
      countWaiting(asker, -1);
    }
  }

  return {
    demandPlace(asker) {
      if (waitingInAll < waiting || Math.max(...waitingOf.values()) > (waitingOf.get(asker) ?? 0) + 1) return;
      throw busy("too many requests wait for a place");
    },
    async run(job, asker) {
      const release = await turnOf(asker);
      const beganMs = performance.now();
      try {
        return await job();
      } finally {
        seconds.observe((performance.now() - beganMs) / 1000);
        tracing.current?.worked("hash", "hash a password", beganMs, {});
        release();
      }
    },
  };
}

/** Whether an error says that passwords could not be checked or hashed now. */
export function isHasherBusy(thrown: unknown): boolean {
  return thrown instanceof OAuthError && thrown.refusalCause === "passwords_busy";
}

function busy(message: string): OAuthError {
  return new OAuthError("temporarily_unavailable", "passwords_busy", `passwords: ${message}`, {
    description: "Many people are signing in right now. Try again in a few seconds.",
    headers: { "Retry-After": String(RETRY_AFTER_SECONDS) },
  });
}
