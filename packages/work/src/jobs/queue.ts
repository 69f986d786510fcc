import type { WriteQuery } from "@gatehouse/db/query/db";
import type { Job } from "@gatehouse/db/stores/jobs/job-outcomes";
import type { Backoff } from "./backoff.ts";

/** How a worker runs the jobs of one queue. */
export type Queue = {
  /**
   * Does the job's work. When it resolves, the job is deleted; when it rejects, the job is tried again later. It can
   * run more than once for a job: a process may die after the work and before the deletion. Writes that must happen
   * once go behind {@link JobContext.fence}.
   */
  run(job: Job, context: JobContext): Promise<void>;
  /** How many jobs run at once in one process. */
  concurrency: number;
  /** After that, the signal is aborted and the attempt has failed. */
  timeoutSeconds: number | ((job: Job) => number);
  /** After as many failed attempts, the job is dead: kept for a week, not tried again. */
  maxAttempts: number | ((job: Job) => number);
  backoff: Backoff;
  /**
   * Writes of the transaction that buries a job, for what waits for it: nothing runs it again. `cause` is what the job
   * failed with.
   */
  whenBuried?(job: Job, cause: string): readonly WriteQuery[] | Promise<readonly WriteQuery[]>;
};

export type JobContext = {
  /**
   * Aborted at the time limit, when the job's lease is lost, and when the process stops. Pass it on to whatever waits.
   */
  signal: AbortSignal;
  /**
   * The first write of `db.guarded`, whose other writes then only happen while this worker holds the job. Without it, a
   * process that was paused past its lease could repeat what another one has done.
   */
  fence(): WriteQuery;
};

/** The last error of a job that was started as often as allowed, and of which no worker could record how it ended. */
export const PROCESS_ENDED = "the process ended while running it";

/** Thrown by {@link Queue.run} to give the job back as if it had not been started. It is due again in `seconds`. */
export class JobPostponed extends Error {
  override readonly name = "JobPostponed";
  readonly seconds: number;

  constructor(message: string, { seconds, cause }: { seconds: number; cause?: unknown }) {
    super(message, { cause });
    this.seconds = seconds;
  }
}

/** Thrown by {@link Queue.run} to say when to try again, instead of the queue's backoff and number of attempts. */
export class JobFailure extends Error {
  override readonly name = "JobFailure";
  /** Null: never, the job is dead at once. */
  readonly retryInSeconds: number | null;

  constructor(message: string, { retryInSeconds, cause }: { retryInSeconds: number | null; cause?: unknown }) {
    super(message, { cause });
    this.retryInSeconds = retryInSeconds;
  }
}
