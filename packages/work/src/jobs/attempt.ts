import type { Db } from "@gatehouse/db/query/db";
import {
  buryJob,
  finishJob,
  type Job,
  leaseFence,
  releaseJobs,
  retryJob,
} from "@gatehouse/db/stores/jobs/job-outcomes";
import { tracing } from "@gatehouse/runtime/tracing";
import type { Log } from "./log.ts";
import { JobFailure, JobPostponed, PROCESS_ENDED, type Queue } from "./queue.ts";

/** One run of a job that this worker has claimed. */
export type Attempt = {
  job: Job;
  /** Resolves when the outcome is recorded, or the job was lost. */
  done: Promise<void>;
  /** The lease was extended: until then it counts as held. `at` is of `performance.now()`, before the extension. */
  extended(at: number): void;
  /** Aborts the run if another worker has the job, or may have it. */
  checkLease(): void;
  lose(): void;
  /** Asks the run to end because the process stops. */
  stop(): void;
};

export type AttemptDeps = { db: Db; log: Log; leaseSeconds: number; random: () => number };

/** Why a signal is aborted. */
class Timeout extends Error {}
class LeaseLost extends Error {}
class Stopping extends Error {}

/** Stored with the job, so bounded. */
const MAX_ERROR_LENGTH = 2000;

/** Starts a job claimed at `claimedAt` (of `performance.now()`, before the claim). */
export function startAttempt(job: Job, queue: Queue, claimedAt: number, deps: AttemptDeps): Attempt {
  const { db, log, leaseSeconds } = deps;
  const controller = new AbortController();
  const { signal } = controller;
  const seconds = valueFor(queue.timeoutSeconds, job);
  const timer = setTimeout(() => controller.abort(new Timeout(`not done after ${seconds} s`)), seconds * 1000);
  let heldUntil = claimedAt + leaseSeconds * 1000;

  async function work(): Promise<void> {
    let failure: { error: unknown } | undefined;
    try {
      assertAttemptsLeft(job, queue);
      await Promise.race([queue.run(job, { signal, fence: () => leaseFence(db, job) }), abandoned(signal)]);
    } catch (error) {
      failure = { error: signal.reason instanceof Timeout ? signal.reason : error };
    }
    clearTimeout(timer);
    if (signal.reason instanceof LeaseLost) return;
    if (!failure) await finishJob(db, job);
    else if (signal.reason instanceof Stopping) await releaseJobs(db, [job], 0);
    else await recordFailure(job, queue, failure.error, deps);
  }

  const done = (tracing.current?.job(job.queue, work) ?? work()).catch((error: unknown) => {
    // Nothing else to do: the job is due again when its lease ends.
    log.error({ err: error, queue: job.queue, job: job.id }, "the outcome of a job could not be recorded");
  });
  const lose = () => controller.abort(new LeaseLost("another worker may have this job"));
  return {
    job,
    done,
    lose,
    extended(at) {
      heldUntil = at + leaseSeconds * 1000;
    },
    checkLease() {
      if (performance.now() >= heldUntil) lose();
    },
    stop: () => controller.abort(new Stopping("the process stops")),
  };
}

/**
 * Rejects when the run must not be waited for any longer: a run that ignores its signal would hold its place for ever.
 */
function abandoned(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    signal.addEventListener("abort", () => signal.reason instanceof Stopping || reject(signal.reason), { once: true });
  });
}

/** A claim counts as an attempt, so that a job which ends its process each time is buried too. OP-23. */
function assertAttemptsLeft(job: Job, queue: Queue): void {
  if (job.attempts > valueFor(queue.maxAttempts, job)) throw new JobFailure(PROCESS_ENDED, { retryInSeconds: null });
}

async function recordFailure(job: Job, queue: Queue, error: unknown, { db, log, random }: AttemptDeps): Promise<void> {
  if (error instanceof JobPostponed) return releaseJobs(db, [job], error.seconds);
  const message = (error instanceof Error ? error.message || error.name : String(error)).slice(0, MAX_ERROR_LENGTH);
  const seconds = secondsToRetry(job, queue, error, random);
  const fields = { err: error, queue: job.queue, job: job.id, attempts: job.attempts };
  if (seconds === null) {
    log.error(fields, "a job failed for the last time");
    await buryJob(db, job, message, (await queue.whenBuried?.(job, message)) ?? []);
  } else {
    log.warn({ ...fields, retryInSeconds: seconds }, "a job failed and will be retried");
    await retryJob(db, job, { error: message, seconds });
  }
}

/** Null when the job is not tried again. */
function secondsToRetry(job: Job, queue: Queue, error: unknown, random: () => number): number | null {
  if (error instanceof JobFailure) return error.retryInSeconds;
  return job.attempts >= valueFor(queue.maxAttempts, job) ? null : queue.backoff(job.attempts, random());
}

function valueFor(setting: number | ((job: Job) => number), job: Job): number {
  return typeof setting === "number" ? setting : setting(job);
}
