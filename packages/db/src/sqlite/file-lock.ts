import Sqlite from "better-sqlite3";
import { isBusy } from "./busy.ts";
import { createOwnFile } from "./file.ts";

/** Another program uses the database, or is restoring it. The message is one sentence with what to do. */
export class DatabaseInUseError extends Error {
  override readonly name = "DatabaseInUseError";
  /** Try again (sysexits.h). */
  readonly exitCode = 75;
}

/** For so long a program that starts waits for a restore to end. */
const WAIT_FOR_RESTORE_MS = 5000;

// Beside the database lies an empty database of its own for locks. SQLite keeps them with the operating system, so those of a process
// that was killed are gone with it.
function openLock(file: string, timeout: number): Sqlite.Database {
  const lock = `${file}.lock`;
  createOwnFile(lock);
  return new Sqlite(lock, { timeout });
}

/** Says that this process uses the file, for as long as what it returns is open. Throws DatabaseInUseError while it is being restored. */
export function lockShared(file: string): { close(): void } {
  const lock = openLock(file, WAIT_FOR_RESTORE_MS);
  try {
    lock.exec("BEGIN");
    lock.prepare("SELECT count(*) FROM sqlite_master").get(); // a read takes the lock, and the open transaction keeps it
    return lock;
  } catch (cause) {
    lock.close();
    if (!isBusy(cause)) throw cause;
    throw new DatabaseInUseError(`${file} is being restored. Try again when that has ended.`, { cause });
  }
}

/** Keeps every other program from opening the file. Throws DatabaseInUseError at once while one has it open. */
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
