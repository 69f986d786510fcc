import { chmodSync, constants, copyFileSync, existsSync, linkSync, renameSync, rmSync } from "node:fs";
import Sqlite from "better-sqlite3";
import { assertUsable } from "../migrations/schema-state.ts";
import { isBusy } from "../sqlite/busy.ts";
import { DatabaseInUseError, lockAlone } from "../sqlite/file-lock.ts";
import { type LooseFile, syncFolderOf, syncToDisk, withFile } from "./file.ts";

export type RestoreOptions<Result> = {
  /** Changes the copy of the backup before it replaces the database. */
  prepare: (copy: LooseFile) => Promise<Result>;
  /** Where the current database is kept. */
  keepAs: string;
  /** Reads the current database before it is replaced; not called if it cannot be opened. */
  look: (present: LooseFile) => Promise<void>;
};

/**
 * Replaces the database `file` by a copy of `backup`, and keeps the current one as `keepAs`. At every moment `file` is
 * one complete database, the old or the new one. Throws DatabaseInUseError while any program has it open, and
 * SchemaError for a backup that is too old to migrate. OP-52.
 */
export async function restoreFile<Result>(
  backup: string,
  file: string,
  { prepare, keepAs, look }: RestoreOptions<Result>,
): Promise<Result> {
  const lock = lockAlone(file);
  const copy = `${file}.restoring`;
  try {
    rmSync(copy, { force: true }); // left by an interrupted restore
    copyFileSync(backup, copy, constants.COPYFILE_FICLONE);
    chmodSync(copy, 0o600);
    const result = await withFile(copy, "write", async (open) => {
      assertUsable(open.connection);
      return prepare(open);
    });
    syncToDisk(copy);

    if (existsSync(file)) await keep(file, keepAs, look);
    renameSync(copy, file);
    syncFolderOf(file);
    return result;
  } catch (cause) {
    for (const left of [copy, `${copy}-journal`]) rmSync(left, { force: true });
    throw cause;
  } finally {
    lock.close();
  }
}

const BESIDE = ["-wal", "-shm"];

/**
 * Gives the current database a second name, with its log: SQLite would otherwise replay the log into the restored file.
 */
async function keep(file: string, keepAs: string, look: RestoreOptions<unknown>["look"]): Promise<void> {
  try {
    mergeLogIntoFile(file);
    await withFile(file, "read", look);
  } catch (cause) {
    // A damaged database is kept as it is
    if (cause instanceof DatabaseInUseError || !(cause instanceof Sqlite.SqliteError)) throw cause;
  }
  for (const suffix of BESIDE) if (existsSync(file + suffix)) renameSync(file + suffix, keepAs + suffix);
  linkSync(file, keepAs);
}

/** Also detects programs that do not use our lock, such as a shell: SQLite refuses while another connection is open. */
function mergeLogIntoFile(file: string): void {
  const connection = new Sqlite(file, { timeout: 0 });
  try {
    connection.pragma("journal_mode = DELETE");
  } catch (cause) {
    if (isBusy(cause)) throw new DatabaseInUseError(`Another program has ${file} open. Close it first.`, { cause });
    throw cause;
  } finally {
    connection.close();
  }
}
