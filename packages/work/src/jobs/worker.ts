import { setTimeout as pause } from "node:timers/promises";
import { mintId, type Random } from "@gatehouse/auth";
import type { Handle } from "@gatehouse/db/query/handle";
import { extendLeases, releaseJobs } from "@gatehouse/db/stores/jobs/job-outcomes";
import type { Log } from "./log.ts";
import type { Queue } from "./queue.ts";
import { createRunner, type Runner } from "./runner.ts";

export type WorkerDeps = {
  /** For the worker's own statements. On PostgreSQL, `database.background`. */
  handle: Handle;
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
   * Looks for jobs of this queue now, for example after a commit that added one. Otherwise the worker looks every `pollMs`. Does nothing in a
   * process that has not started its worker.
   */
  wake(queue: string): void;
  /** Claims no more jobs; running jobs continue. */
  drain(): void;
  /**
   * Drains, aborts the signals of running jobs, and waits for them, at most `withinMs`. Then the others are given up, so that another
   * process can start them at once; what they still do cannot pass their fence.
   */
  stop(withinMs: number): Promise<void>;
};

const POLL_MS = 1000;
const LEASE_SECONDS = 60;
const BEATS_PER_LEASE = 3;

/** Runs jobs in this process, once it is started. Any number of processes can work on the same queues. OP-23. */
export function createWorker(deps: WorkerDeps): Worker {
  const { handle, log, leaseSeconds = LEASE_SECONDS, pollMs = POLL_MS } = deps;
  const heartbeatMs = deps.heartbeatMs ?? (leaseSeconds * 1000) / BEATS_PER_LEASE;
  const random = () => Buffer.from(deps.random(4)).readUInt32BE() / 2 ** 32;
  const runnerDeps = { handle, log, leaseSeconds, random, newToken: () => mintId(deps.random) };
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
      const held = await extendLeases(handle, jobs, leaseSeconds);
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
      await releaseJobs(handle, rest, 0);
    },
  };
}

async function settleWithin(milliseconds: number, work: readonly Promise<void>[]): Promise<void> {
  const waiting = new AbortController();
  await Promise.race([Promise.all(work), pause(milliseconds, undefined, { signal: waiting.signal }).catch(() => {})]);
  waiting.abort();
}
