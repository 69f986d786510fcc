import type Sqlite from "better-sqlite3";
import { orUnavailable } from "../errors/unavailable.ts";
import { isBusy } from "./busy.ts";

/**
 * Runs several statements as one part of a transaction: when one throws, all of them are undone and the rest of the
 * transaction stays.
 */
export type AllOrNone = <Value>(statements: () => Value) => Value;

/** One caller's statements. A single statement that fails undoes itself; several belong in `allOrNone`. */
export type Part = (allOrNone: AllOrNone) => unknown;

export type Outcome = { ok: true; value: unknown } | { ok: false; cause: unknown };

/** Statements inside `allOrNone` failed without a savepoint to go back to. */
class SavepointMissing extends Error {}

/**
 * Runs the parts of independent callers in one transaction and commits it. Returns the outcome of each part, or "busy",
 * with no effect, when another process holds the write lock. When the commit is lost, every part has failed.
 *
 * Savepoints cost a third of a part's time and parts rarely fail, so the first attempt has none. If it needs one, it is
 * rolled back and the parts run again with savepoints.
 */
export function createSharedTransaction(connection: Sqlite.Database): (parts: readonly Part[]) => Outcome[] | "busy" {
  const savepoint = connection.prepare("SAVEPOINT part");
  const release = connection.prepare("RELEASE part");
  const rollBack = connection.prepare("ROLLBACK TO part");

  const withoutSavepoints: AllOrNone = (statements) => {
    try {
      return statements();
    } catch (cause) {
      throw new SavepointMissing("a part failed", { cause });
    }
  };

  const withSavepoints: AllOrNone = (statements) => {
    savepoint.run();
    try {
      return statements();
    } catch (cause) {
      if (connection.inTransaction) rollBack.run();
      throw cause;
    } finally {
      if (connection.inTransaction) release.run();
    }
  };

  function attempt(parts: readonly Part[], allOrNone: AllOrNone): Outcome[] {
    connection.exec("BEGIN IMMEDIATE");
    const outcomes = parts.map((part): Outcome => {
      try {
        return { ok: true, value: part(allOrNone) };
      } catch (cause) {
        // SQLite ends the whole transaction itself when the disk is full or fails.
        if (cause instanceof SavepointMissing || !connection.inTransaction) throw cause;
        return { ok: false, cause };
      }
    });
    connection.exec("COMMIT");
    return outcomes;
  }

  function run(parts: readonly Part[], allOrNone: AllOrNone): Outcome[] | "busy" {
    try {
      return attempt(parts, allOrNone);
    } catch (thrown) {
      if (connection.inTransaction) connection.exec("ROLLBACK");
      else if (isBusy(thrown)) return "busy";
      if (thrown instanceof SavepointMissing) return run(parts, withSavepoints);
      const cause = orUnavailable(thrown);
      return parts.map(() => ({ ok: false, cause }));
    }
  }

  return (parts) => run(parts, withoutSavepoints);
}
