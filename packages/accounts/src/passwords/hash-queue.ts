import { OAuthError } from "@gatehouse/auth";

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

type Waiter = { start: () => void; timer: NodeJS.Timeout };

/** Runs jobs with limited memory and threads; see {@link createHashQueue}. */
export type HashQueue = { run<Value>(job: () => Promise<Value>): Promise<Value> };

/**
 * A queue for work that needs much memory and a thread each: at most `concurrency` jobs run, 64 wait, each for 2 seconds. A permit belongs to
 * its job: it is free again when the job ends, not when its request does. `run` throws a 503 for a job that has no place or no turn. PW-06.
 */
export function createHashQueue({ concurrency, waiting = MOST_WAITING, waitMs = WAIT_MS }: HashQueueLimits): HashQueue {
  let running = 0;
  const waiters = new Set<Waiter>();

  function turn(): Promise<void> | undefined {
    if (running < concurrency) {
      running += 1;
      return undefined;
    }
    if (waiters.size >= waiting) throw busy("the queue is full");
    return new Promise((resolve, reject) => {
      const giveUp = () => {
        waiters.delete(waiter);
        reject(busy(`no turn within ${waitMs} ms`));
      };
      const waiter: Waiter = { start: resolve, timer: setTimeout(giveUp, waitMs) };
      waiters.add(waiter);
    });
  }

  function end(): void {
    const [next] = waiters;
    if (!next) {
      running -= 1;
      return;
    }
    waiters.delete(next);
    clearTimeout(next.timer);
    next.start(); // with the permit of the job that ended
  }

  return {
    async run(job) {
      await turn();
      try {
        return await job();
      } finally {
        end();
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
