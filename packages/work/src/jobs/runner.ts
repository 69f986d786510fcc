import { claimJobs, hasDueJob } from "@gatehouse/db/stores/jobs/job-claims";
import { releaseJobs } from "@gatehouse/db/stores/jobs/job-outcomes";
import { type Attempt, type AttemptDeps, startAttempt } from "./attempt.ts";
import type { Queue } from "./queue.ts";

/** Claims and runs the jobs of one queue, as many at once as the queue allows. */
export type Runner = {
  running: ReadonlySet<Attempt>;
  /** Claims jobs if any is due. */
  poll(): Promise<void>;
  /** Claims jobs without looking first. Calls during a claim cause one more. Never rejects. */
  claim(): Promise<void>;
  /** Claims no more. Resolves when a claim in flight has ended. */
  drain(): Promise<void>;
};

export type RunnerDeps = AttemptDeps & { newToken: () => string };

export function createRunner(name: string, queue: Queue, deps: RunnerDeps): Runner {
  const { db, log } = deps;
  const running = new Set<Attempt>();
  let claiming: Promise<void> | undefined;
  let again = false;
  let draining = false;
  /** The last claim or look failed: an outage is logged once. */
  let failing = false;
  /** The last claim found as many jobs as there were places, so there may be more. */
  let more = false;

  /** Claims until the places are taken or nothing is left. */
  async function fill(): Promise<void> {
    do {
      again = false;
      while (!draining && running.size < queue.concurrency) {
        const limit = queue.concurrency - running.size;
        const claimed = await claimSome(limit);
        more = claimed === limit;
        if (!more) break;
      }
    } while (again && !draining);
  }

  async function claimSome(limit: number): Promise<number> {
    const claimedAt = performance.now();
    const jobs = await claimJobs(db, { queue: name, limit, leaseToken: deps.newToken(), leaseSeconds: deps.leaseSeconds });
    if (draining) await releaseJobs(db, jobs, 0);
    else for (const job of jobs) begin(startAttempt(job, queue, claimedAt, deps));
    return jobs.length;
  }

  function begin(attempt: Attempt): void {
    running.add(attempt);
    void attempt.done.then(() => {
      running.delete(attempt);
      // A finished job makes the next one of its key due.
      if (more || attempt.job.orderKey !== null) void claim();
    });
  }

  function claim(): Promise<void> {
    if (draining) return Promise.resolve();
    again = true;
    claiming ??= logged(fill).finally(() => {
      claiming = undefined;
    });
    return claiming;
  }

  async function logged(work: () => Promise<void>): Promise<void> {
    try {
      await work();
      failing = false;
    } catch (error) {
      if (!failing) log.error({ err: error, queue: name }, "jobs cannot be claimed; trying again each second");
      failing = true;
    }
  }

  return {
    running,
    claim,
    async poll() {
      if (draining || claiming || running.size >= queue.concurrency) return;
      await logged(async () => {
        if (await hasDueJob(db, name)) void claim();
      });
    },
    drain() {
      draining = true;
      return claiming ?? Promise.resolve();
    },
  };
}
