import { chmodSync, constants, copyFileSync, existsSync, linkSync, renameSync, rmSync } from "node:fs";
import Sqlite from "better-sqlite3";
import { isBusy } from "../sqlite/busy.ts";
import { DatabaseInUseError, lockAlone } from "../sqlite/file-lock.ts";
import { type LooseFile, syncFolderOf, syncToDisk, withFile } from "./file.ts";

export type RestoreOptions<Result> = {
  /** Works on the copy of the backup before it takes the database's place. */
  prepare: (copy: LooseFile) => Promise<Result>;
  /** Where the present database is kept; undefined where there is none. */
  keepAs: string;
  /** Reads the present database before it is replaced; not called when it cannot be opened. */
  look: (present: LooseFile) => Promise<void>;
};

/**
 * Puts a copy of `backup` in the place of the database `file`, and keeps what was there as `keepAs`. At every moment there is one whole
 * database at `file`, the old or the new one. Throws DatabaseInUseError while any program has it open. OP-52.
 */
export async function restoreFile<Result>(
  backup: string,
  file: string,
  { prepare, keepAs, look }: RestoreOptions<Result>,
): Promise<Result> {
  const lock = lockAlone(file);
  const copy = `${file}.restoring`;
  try {
    rmSync(copy, { force: true }); // of a restore that was interrupted
    copyFileSync(backup, copy, constants.COPYFILE_FICLONE);
    chmodSync(copy, 0o600);
    const result = await withFile(copy, "write", prepare);
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

/** A second name for the present database, whose log goes along with it: SQLite would replay it into the restored one. */
async function keep(file: string, keepAs: string, look: RestoreOptions<unknown>["look"]): Promise<void> {
  try {
    gatherIntoOneFile(file);
    await withFile(file, "read", look);
  } catch (cause) {
    if (cause instanceof DatabaseInUseError || !(cause instanceof Sqlite.SqliteError)) throw cause; // one that is broken is kept as it is
  }
  for (const suffix of BESIDE) if (existsSync(file + suffix)) renameSync(file + suffix, keepAs + suffix);
  linkSync(file, keepAs);
}

/** Also tells programs that do not know our lock, such as a shell: SQLite refuses while another connection is open. */
function gatherIntoOneFile(file: string): void {
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
