import Sqlite from "better-sqlite3";
import { isBusy } from "./busy.ts";
import { createOwnFile } from "./file.ts";

/** Another program uses or restores the database. The message says what to do. */
export class DatabaseInUseError extends Error {
  override readonly name = "DatabaseInUseError";
  /** Try again (sysexits.h). */
  readonly exitCode = 75;
}

/** How long a starting program waits for a restore to end. */
const RESTORE_TIMEOUT_MS = 5000;

// The lock is on an empty database beside the real one. SQLite's locks belong to the operating system, so they end with
// a process that is killed.
function openLock(file: string, timeout: number): Sqlite.Database {
  const lock = `${file}.lock`;
  createOwnFile(lock);
  return new Sqlite(lock, { timeout });
}

/** Marks the file as in use until the result is closed. Throws DatabaseInUseError while the file is being restored. */
export function lockShared(file: string): { close(): void } {
  const lock = openLock(file, RESTORE_TIMEOUT_MS);
  try {
    lock.exec("BEGIN");
    // Reading takes the lock, and the open transaction keeps it
    lock.prepare("SELECT count(*) FROM sqlite_master").get();
    return lock;
  } catch (cause) {
    lock.close();
    if (!isBusy(cause)) throw cause;
    throw new DatabaseInUseError(`${file} is being restored. Try again when the restore has ended.`, { cause });
  }
}

/** Prevents every other program from opening the file. Throws DatabaseInUseError immediately if one has it open. */
export function lockAlone(file: string): { close(): void } {
  const lock = openLock(file, 0);
  try {
    lock.exec("BEGIN EXCLUSIVE");
    return lock;
  } catch (cause) {
    lock.close();
    if (!isBusy(cause)) throw cause;
    throw new DatabaseInUseError(`A server or a command uses ${file}. Stop it first.`, { cause });
  }
}
