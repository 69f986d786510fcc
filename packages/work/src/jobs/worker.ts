import { setTimeout as pause } from "node:timers/promises";
import { mintId, type Random } from "@gatehouse/auth";
import type { Db } from "@gatehouse/db/query/db";
import { claimJobs, hasDueJob } from "@gatehouse/db/stores/jobs/job-claims";
import { extendLeases, releaseJobs } from "@gatehouse/db/stores/jobs/job-outcomes";
import { type Attempt, type AttemptDeps, startAttempt } from "./attempt.ts";
import type { Log } from "./log.ts";
import type { Queue } from "./queue.ts";

export type WorkerDeps = {
  /** For the worker's own statements. On PostgreSQL, `database.background`. */
  db: Db;
  random: Random;
  log: Log;
  /** How long a job is held without a heartbeat. By default 60. */
  leaseSeconds?: number | undefined;
  /** The time between two heartbeats. By default a third of the lease. */
  heartbeatMs?: number;
  /** How often the worker looks for jobs. By default every second. */
  pollMs?: number;
};

export type Worker = {
  /** Begins to claim jobs of these queues, each by its name. */
  start(queues: Readonly<Record<string, Queue>>): void;
  /**
   * Looks for jobs of this queue now, for example after a commit that added one. Otherwise the worker looks every
   * `pollMs`. Does nothing in a process that has not started its worker.
   */
  wake(queue: string): void;
  /** Claims no more jobs; running jobs continue. */
  drain(): void;
  /**
   * Drains, aborts the signals of running jobs, and waits for them, at most `withinMs`. Then the others are given up,
   * so that another process can start them at once; what they still do cannot pass their fence.
   */
  stop(withinMs: number): Promise<void>;
};

const POLL_MS = 1000;
const LEASE_SECONDS = 60;
const BEATS_PER_LEASE = 3;

/** Runs jobs in this process, once it is started. Any number of processes can work on the same queues. OP-23. */
export function createWorker(deps: WorkerDeps): Worker {
  const { db, log, leaseSeconds = LEASE_SECONDS, pollMs = POLL_MS } = deps;
  const heartbeatMs = deps.heartbeatMs ?? (leaseSeconds * 1000) / BEATS_PER_LEASE;
  const random = () => Buffer.from(deps.random(4)).readUInt32BE() / 2 ** 32;
  const runnerDeps = { db, log, leaseSeconds, random, newToken: () => mintId(deps.random) };
  const runners = new Map<string, Runner>();
  const running = () => [...runners.values()].flatMap((runner) => [...runner.running]);
  const timers: NodeJS.Timeout[] = [];

  function poll(): void {
    for (const runner of runners.values()) void runner.poll();
  }

  async function beat(): Promise<void> {
    const attempts = running();
    const at = performance.now();
    try {
      const jobs = attempts.map(({ job }) => job);
      const held = await extendLeases(db, jobs, leaseSeconds);
      for (const attempt of attempts) {
        if (held.has(attempt.job.id)) attempt.extended(at);
        else attempt.lose();
      }
    } catch (error) {
      log.error({ err: error }, "the leases of jobs could not be extended");
      for (const attempt of attempts) attempt.checkLease();
    }
  }

  const drained = () => Promise.all([...runners.values()].map((runner) => runner.drain()));

  return {
    drain: () => void drained(),

    wake: (queue) => void runners.get(queue)?.claim(),

    start(queues) {
      for (const [name, queue] of Object.entries(queues)) runners.set(name, createRunner(name, queue, runnerDeps));
      poll();
      timers.push(setInterval(poll, pollMs).unref());
      timers.push(setInterval(() => void beat(), heartbeatMs).unref());
    },

    async stop(withinMs) {
      await drained();
      const attempts = running();
      for (const attempt of attempts) attempt.stop();
      await settleWithin(
        withinMs,
        attempts.map(({ done }) => done),
      );
      for (const timer of timers) clearInterval(timer);
      const rest = running().map(({ job }) => job);
      await releaseJobs(db, rest, 0);
    },
  };
}

async function settleWithin(milliseconds: number, work: readonly Promise<void>[]): Promise<void> {
  const waiting = new AbortController();
  await Promise.race([Promise.all(work), pause(milliseconds, undefined, { signal: waiting.signal }).catch(() => {})]);
  waiting.abort();
}

/** Claims and runs the jobs of one queue, as many at once as the queue allows. */
type Runner = {
  running: ReadonlySet<Attempt>;
  /** Claims jobs if any is due. */
  poll(): Promise<void>;
  /** Claims jobs without looking first. Calls during a claim cause one more. Never rejects. */
  claim(): Promise<void>;
  /** Claims no more. Resolves when a claim in flight has ended. */
  drain(): Promise<void>;
};

type RunnerDeps = AttemptDeps & { newToken: () => string };

function createRunner(name: string, queue: Queue, deps: RunnerDeps): Runner {
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
    const jobs = await claimJobs(db, {
      queue: name,
      limit,
      leaseToken: deps.newToken(),
      leaseSeconds: deps.leaseSeconds,
    });
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
