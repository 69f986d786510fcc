import { closeSync, existsSync, fdatasyncSync, openSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import Sqlite from "better-sqlite3";
import type { Db } from "../query/db.ts";
import { type Contents, checkFile, contentsOf, hashFile, syncFolderOf, syncToDisk, withFile } from "./file.ts";

/** The manifest beside a backup, `<file>.json`. */
export type Manifest = Contents & {
  format: 1;
  /** ISO 8601. Everything committed before is in the backup. */
  made_at: string;
  bytes: number;
  sha256: string;
  /** Identifies the GATEHOUSE_SECRET that sealed the values, without revealing it. */
  key_id: string;
};

export type BackupOptions = {
  /** Rejects if the copy is unusable, for example sealed with another secret. */
  approve: (copy: Db) => Promise<void>;
  keyId: string;
  now: () => Date;
  /** Called at the start of each step with its name, for people. */
  report: (step: string) => void;
};

export const manifestOf = (backup: string) => `${backup}.json`;

/**
 * Copies the database `source` to `target` in one read transaction while servers keep writing, and checks the copy
 * before it gets its name. Throws if `target` exists or the copy is damaged. OP-51.
 */
export async function backUp(
  source: string,
  target: string,
  { approve, keyId, now, report }: BackupOptions,
): Promise<Manifest> {
  if (existsSync(target)) throw new Error(`${target} exists. Choose another name; a backup replaces nothing.`);
  const partial = `${target}.partial`;
  rmSync(partial, { force: true }); // left by an interrupted backup
  closeSync(openSync(partial, "wx", 0o600));
  try {
    report(`Copying ${megabytes(statSync(source).size)}`);
    const made_at = now().toISOString();
    await copy(source, partial);
    syncToDisk(partial);

    report("Checking the copy");
    const contents = await withFile(partial, "read", async (open) => {
      const problems = checkFile(open);
      if (problems.length > 0) throw new Error(`The copy has faults, and so has the database: ${problems.join("; ")}`);
      await approve(open.db);
      return contentsOf(open);
    });
    const bytes = statSync(partial).size;
    const manifest: Manifest = {
      format: 1,
      made_at,
      bytes,
      sha256: await hashFile(partial),
      key_id: keyId,
      ...contents,
    };
    writeFileSync(manifestOf(partial), `${JSON.stringify(manifest, null, 2)}\n`, { mode: 0o600, flush: true });
    renameSync(manifestOf(partial), manifestOf(target));
    renameSync(partial, target);
    syncFolderOf(target);
    return manifest;
  } catch (cause) {
    for (const left of [partial, manifestOf(partial)]) rmSync(left, { force: true });
    throw cause;
  }
}

/** Moves a backup with its manifest to another folder of the same disk. Returns the file. */
export function moveBackup(file: string, folder: string): string {
  const target = join(folder, basename(file));
  renameSync(manifestOf(file), manifestOf(target));
  renameSync(file, target);
  syncFolderOf(target);
  return target;
}

/** 1 MiB: how much is written to disk at a time. */
const PAGES_AT_ONCE = 256;

/**
 * Copies in slices in one read transaction, so that no commit of another process makes it start over, and pauses after
 * each slice for as long as writing it took; otherwise a server's commits would wait behind the copy's. OP-51 (decision
 * 0014).
 */
async function copy(source: string, target: string): Promise<void> {
  const written = openSync(target, "r");
  const connection = new Sqlite(source, { readonly: true, fileMustExist: true });
  try {
    connection.exec("BEGIN");
    connection.prepare("SELECT 1 FROM sqlite_schema").get(); // a transaction starts with its first read
    let began = performance.now();
    await connection.backup(target, {
      progress() {
        fdatasyncSync(written);
        pause(performance.now() - began);
        began = performance.now();
        return PAGES_AT_ONCE;
      },
    });
    connection.exec("COMMIT");
  } finally {
    connection.close();
    closeSync(written);
  }
  leaveWal(target);
}

/** A copy of a file in WAL mode is in WAL mode too, and could not be read without files beside it. */
function leaveWal(file: string): void {
  const connection = new Sqlite(file);
  try {
    connection.pragma("journal_mode = DELETE");
  } finally {
    connection.close();
  }
}

function pause(milliseconds: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, milliseconds);
}

const megabytes = (bytes: number) => `${Math.max(1, Math.round(bytes / 1_048_576))} MiB`;
