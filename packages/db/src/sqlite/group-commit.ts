import { metrics } from "@gatehouse/runtime/metrics";
import type Sqlite from "better-sqlite3";
import { currentTurn } from "../cache/turn.ts";
import { unavailable } from "../errors/unavailable.ts";
import { type WriteGate, writesRefused } from "../write-gate.ts";
import { createSharedTransaction, type Part } from "./shared-transaction.ts";

/**
 * How long a writer waits for another process's commit by blocking the event loop; a commit usually takes a few
 * milliseconds. OP-50.
 */
export const BUSY_TIMEOUT_MS = 250;
/** How long a writer waits in all. After {@link BUSY_TIMEOUT_MS} it retries without blocking. */
const WRITE_TIMEOUT_MS = 2000;
const RETRY_INTERVAL_MS = 10;
/** How many turns a commit waits for more writes. */
const MAX_WAITS = 3;
/**
 * A patient write waits this long after the last commit for others that share the next one: while somebody guesses
 * passwords, their counts must not take the disk from everybody else. OP-89.
 */
const PATIENCE_MS = 10;

const commitSeconds = metrics.commitSeconds.series();
const groupSize = metrics.groupSize.series();

/** Writes that share transactions. See docs/storage.md. */
export type GroupCommit = {
  /**
   * Runs `part` in the transaction that all writes of this turn of the event loop share, and resolves with its result
   * after the commit. Rejects with what `part` threw, or with StoreUnavailable when nothing could be committed. `part`
   * may run more than once; each time, the effects of the run before are rolled back. `isPatient`: it commits at once if
   * the last commit was some milliseconds ago, otherwise with the next write that is not patient, or when they are over.
   */
  write<Value>(part: (...args: Parameters<Part>) => Value, options?: { isPatient: boolean }): Promise<Value>;
  /** Resolves when no write is pending. */
  idle(): Promise<void>;
};

type Pending = {
  part: Part;
  resolve: (value: never) => void;
  reject: (cause: unknown) => void;
  /** Set when the write lock was first found taken. */
  deadline: number | undefined;
};

/**
 * Group commit on a connection, whose busy timeout it manages. No transaction stays open between turns of the event
 * loop.
 */
export function createGroupCommit(connection: Sqlite.Database, gate: WriteGate = { closed: false }): GroupCommit {
  const commitTogether = createSharedTransaction(connection);
  const whenIdle: (() => void)[] = [];
  let pending: Pending[] = [];
  let scheduled = false;
  let waits = 0;
  let patience: NodeJS.Timeout | undefined;
  let committedMs = Number.NEGATIVE_INFINITY;
  let busyTimeout = BUSY_TIMEOUT_MS;

  function schedule(): void {
    clearTimeout(patience);
    patience = undefined;
    scheduled = true;
    setImmediate(flushOrWait);
  }

  /** Schedules the next commit for a patient write. */
  function scheduleLater(): void {
    if (patience !== undefined) return;
    const waitMs = committedMs + PATIENCE_MS - performance.now();
    if (waitMs > 0) patience = setTimeout(schedule, waitMs);
    else schedule();
  }

  /**
   * A commit costs the same for two writes as for one. Where most requests of a turn only read, it waits for those that
   * their clients send next, a few turns at most. A request that is alone never waits.
   */
  function flushOrWait(): void {
    if (waits < MAX_WAITS && pending.length * 2 <= currentTurn.requestsOfLast) {
      waits += 1;
      setImmediate(flushOrWait);
      return;
    }
    waits = 0;
    flush();
  }

  function flush(): void {
    const group = pending;
    pending = [];
    scheduled = false;
    const beganMs = performance.now();
    const outcomes = commitTogether(group.map(({ part }) => part));
    if (outcomes === "busy") {
      metrics.dbRetries.series("busy").add();
      retryLater(group);
    } else {
      committedMs = performance.now();
      commitSeconds.observe((committedMs - beganMs) / 1000);
      groupSize.observe(group.length);
      setBusyTimeout(BUSY_TIMEOUT_MS);
      for (const [at, outcome] of outcomes.entries()) {
        if (outcome.ok) group[at]?.resolve(outcome.value as never);
        else group[at]?.reject(outcome.cause);
      }
    }
    if (!scheduled) for (const resolve of whenIdle.splice(0)) resolve();
  }

  /** Rejects the writes that have waited long enough, and retries the others together with new ones. */
  function retryLater(group: readonly Pending[]): void {
    const now = performance.now();
    const deadline = now + WRITE_TIMEOUT_MS - busyTimeout;
    setBusyTimeout(0);
    for (const one of group) {
      one.deadline ??= deadline;
      if (one.deadline > now) pending.push(one);
      else
        one.reject(
          unavailable(`Another process has held the database's write lock for ${WRITE_TIMEOUT_MS / 1000} s`, "busy"),
        );
    }
    if (pending.length === 0) return;
    scheduled = true;
    setTimeout(flush, RETRY_INTERVAL_MS);
  }

  /** How long SQLite itself waits for the write lock, blocking. */
  function setBusyTimeout(milliseconds: number): void {
    if (milliseconds === busyTimeout) return;
    busyTimeout = milliseconds;
    connection.pragma(`busy_timeout = ${milliseconds}`);
  }

  return {
    write: (part, options) =>
      new Promise((resolve, reject) => {
        if (gate.closed) return reject(writesRefused());
        pending.push({ part, resolve, reject, deadline: undefined });
        if (scheduled) return undefined;
        if (options?.isPatient) scheduleLater();
        else schedule();
        return undefined;
      }),
    idle: () => (pending.length > 0 ? new Promise((resolve) => whenIdle.push(resolve)) : Promise.resolve()),
  };
}
