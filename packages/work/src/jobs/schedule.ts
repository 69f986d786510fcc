import type { Db } from "@gatehouse/db/query/db";
import { endLease, holdLease } from "@gatehouse/db/stores/jobs/leases";
import type { Log } from "./log.ts";

type Work = (stopping: AbortSignal) => Promise<unknown>;

/** Work that repeats while the process serves, in one process of all that share the database. */
export type Schedule = {
  /**
   * Runs `work` now and then every `seconds`, each time in one process. `name` is the same in all of them. If that
   * process dies, another one starts the work within 40 seconds; so the work must be harmless to repeat. Failures are
   * logged; the next turn tries again. Work that can take long ends early when `stopping` is aborted.
   */
  every(seconds: number, name: string, work: Work): void;
  /** Starts no more work. */
  stop(): void;
  /** Waits for running work. */
  settled(): Promise<void>;
};

export type ScheduleDeps = {
  db: Db;
  log: Log;
  /** Unique to this process. */
  holder: string;
  /** How long a process that died keeps others from the work, at most. By default 30. */
  leaseSeconds?: number;
};

const LEASE_SECONDS = 30;
/** How often per lease it is tried, and renewed while the work runs. */
const TRIES_PER_LEASE = 3;

/** A schedule for this process. OP-22. */
export function createSchedule({ db, log, holder, leaseSeconds = LEASE_SECONDS }: ScheduleDeps): Schedule {
  const tryMs = (leaseSeconds * 1000) / TRIES_PER_LEASE;
  const timers: NodeJS.Timeout[] = [];
  const running = new Map<string, Promise<void>>();
  /** Tasks whose last lease could not be taken: an outage is logged once. */
  const failing = new Set<string>();
  const stopping = new AbortController();

  /** Takes the turn if it is free, and ends it so that the next one begins in `seconds`. */
  async function turn(seconds: number, name: string, work: Work): Promise<void> {
    const longest = Math.max(leaseSeconds, seconds);
    if (!(await holdLease(db, name, holder, leaseSeconds, longest))) return;
    if (stopping.signal.aborted) return endLease(db, name, holder, 0);
    const renewal = setInterval(() => void renew(name, longest), tryMs).unref();
    try {
      await work(stopping.signal);
    } catch (error) {
      log.error({ err: error, task: name }, "a scheduled task failed");
    } finally {
      clearInterval(renewal);
      await endLease(db, name, holder, seconds);
    }
  }

  async function renew(name: string, longest: number): Promise<void> {
    await holdLease(db, name, holder, leaseSeconds, longest).catch((error: unknown) =>
      log.warn({ err: error, task: name }, NOT_RENEWED),
    );
  }

  function attempt(seconds: number, name: string, work: Work): void {
    if (stopping.signal.aborted || running.has(name)) return;
    const done = turn(seconds, name, work)
      .then(() => void failing.delete(name))
      .catch((error: unknown) => {
        if (!failing.has(name))
          log.error({ err: error, task: name }, "the lease of a scheduled task could not be taken");
        failing.add(name);
      })
      .finally(() => running.delete(name));
    running.set(name, done);
  }

  return {
    every(seconds, name, work) {
      attempt(seconds, name, work);
      timers.push(setInterval(() => attempt(seconds, name, work), Math.min(tryMs, seconds * 1000)).unref());
    },
    stop() {
      stopping.abort();
      for (const timer of timers) clearInterval(timer);
    },
    async settled() {
      await Promise.all(running.values());
    },
  };
}

const NOT_RENEWED = "the lease of a scheduled task could not be renewed; another process may run the task too";
