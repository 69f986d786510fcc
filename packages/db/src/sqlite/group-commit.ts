import type Sqlite from "better-sqlite3";
import { orUnavailable, unavailable } from "../errors/unavailable.ts";
import { isBusy } from "./busy.ts";

/** For so long a writer waits for another process's commit by blocking: usually it takes a few milliseconds. OP-50. */
export const BUSY_TIMEOUT_MS = 250;
/** For so long in all, from the first attempt; after {@link BUSY_TIMEOUT_MS} without blocking the event loop. */
const WRITE_WITHIN_MS = 2000;
const RETRY_EVERY_MS = 10;

type Waiting = {
  run: () => unknown;
  resolve: (value: never) => void;
  reject: (cause: unknown) => void;
  /** Set when the write lock was first found taken. */
  giveUpAt: number | undefined;
};

/** Writes that share transactions (D7). */
export type GroupCommit = {
  /**
   * Runs `run` in the transaction that all writes of this turn of the event loop share, and resolves after its commit. Rejects with
   * what `run` threw, or with StoreUnavailable when nothing could be committed.
   */
  write<Value>(run: () => Value): Promise<Value>;
  /** For several statements inside {@link write}: undoes all of them, and nothing else, when one throws. */
  allOrNone<Value>(run: () => Value): Value;
  /** Resolves when no write is pending. */
  idle(): Promise<void>;
};

/** Group commit on a connection whose busy timeout it manages. No transaction is left open between turns. */
export function createGroupCommit(connection: Sqlite.Database): GroupCommit {
  let waiting: Waiting[] = [];
  let scheduled = false;
  let busyTimeout = BUSY_TIMEOUT_MS;
  const whenIdle: (() => void)[] = [];

  const [mark, release, undo] = ["SAVEPOINT part", "RELEASE part", "ROLLBACK TO part"].map((sql) => connection.prepare(sql));
  let [useSavepoints, partFailed] = [false, false];

  /**
   * Savepoints cost every part a third of its time, and parts rarely fail, so at first there are none: where one fails, the whole
   * group begins again with them.
   */
  function allOrNone<Value>(run: () => Value): Value {
    if (useSavepoints) mark?.run();
    try {
      return run();
    } catch (cause) {
      if (!useSavepoints) partFailed = true;
      else if (connection.inTransaction) undo?.run();
      throw cause;
    } finally {
      if (useSavepoints && connection.inTransaction) release?.run();
    }
  }

  function write<Value>(run: () => Value): Promise<Value> {
    return new Promise<Value>((resolve, reject) => {
      waiting.push({ run, resolve, reject, giveUpAt: undefined });
      if (scheduled) return;
      scheduled = true;
      setImmediate(flush);
    });
  }

  function flush(): void {
    const group = waiting;
    waiting = [];
    scheduled = false;
    [useSavepoints, partFailed] = [false, false];
    let settle = commitTogether(group);
    if (partFailed) {
      useSavepoints = true;
      settle = commitTogether(group);
    }
    if (settle === "busy") postpone(group);
    else {
      waitBlocking(BUSY_TIMEOUT_MS);
      for (const done of settle) done();
    }
    if (!scheduled) for (const resolve of whenIdle.splice(0)) resolve();
  }

  /**
   * One transaction for all of them; returns functions that settle each one's promise, or "busy" when another process holds the write
   * lock. A statement that fails undoes itself alone; a lost commit fails every caller. Where a part failed without savepoints,
   * nothing is committed and nobody is told.
   */
  function commitTogether(group: readonly Waiting[]): (() => void)[] | "busy" {
    const settle: (() => void)[] = [];
    try {
      connection.exec("BEGIN IMMEDIATE");
      for (const { run, resolve, reject } of group) {
        try {
          const value = run() as never;
          settle.push(() => resolve(value));
        } catch (cause) {
          if (!connection.inTransaction || (partFailed && !useSavepoints)) throw cause; // SQLite gave up the whole transaction: disk full, I/O error
          settle.push(() => reject(cause));
        }
      }
      connection.exec("COMMIT");
      return settle;
    } catch (cause) {
      if (connection.inTransaction) connection.exec("ROLLBACK");
      else if (isBusy(cause)) return "busy";
      if (partFailed && !useSavepoints) return [];
      const error = orUnavailable(cause);
      return group.map(
        ({ reject }) =>
          () =>
            reject(error),
      );
    }
  }

  /** Tries the group again soon, together with what comes meanwhile, and fails those that have waited long enough. */
  function postpone(group: readonly Waiting[]): void {
    const now = performance.now();
    const latest = now + WRITE_WITHIN_MS - busyTimeout;
    waitBlocking(0);
    const remaining: Waiting[] = [];
    for (const one of group) {
      one.giveUpAt ??= latest;
      if (one.giveUpAt > now) remaining.push(one);
      else one.reject(unavailable(`Another process has held the database's write lock for ${WRITE_WITHIN_MS / 1000} s`));
    }
    waiting = remaining;
    if (remaining.length === 0) return;
    scheduled = true;
    setTimeout(flush, RETRY_EVERY_MS);
  }

  /** How long SQLite itself waits for the write lock, blocking. */
  function waitBlocking(milliseconds: number): void {
    if (milliseconds === busyTimeout) return;
    busyTimeout = milliseconds;
    connection.pragma(`busy_timeout = ${milliseconds}`);
  }

  return {
    write,
    allOrNone,
    idle: () => (scheduled ? new Promise((resolve) => whenIdle.push(resolve)) : Promise.resolve()),
  };
}
