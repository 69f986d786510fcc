import { statSync } from "node:fs";
import { statfs } from "node:fs/promises";
import { dirname } from "node:path";
import Sqlite from "better-sqlite3";
import { foreignFileSystemOf } from "../sqlite/file-system.ts";

/** What a SQLite file, and the file system that it is on, show. */
export type SqliteFacts = {
  version: string;
  /** "wal" for all that Gatehouse makes. */
  journalMode: string;
  /** Bytes of the log beside the file. */
  logBytes: number;
  freeBytes: number;
  totalBytes: number;
  /** The name of a file system on which SQLite's locks and shared memory may not work; undefined on any other. */
  foreignFileSystem: string | undefined;
  /** Whether other users of the machine can read the file. */
  isReadableByOthers: boolean;
};

const BY_OTHERS = 0o004;

/** Opens the file read-only. Throws if there is none. */
export async function readSqliteFacts(file: string): Promise<SqliteFacts> {
  const connection = new Sqlite(file, { readonly: true, fileMustExist: true });
  try {
    const { bavail, blocks, bsize } = await statfs(dirname(file));
    return {
      version: String(connection.prepare("SELECT sqlite_version()").pluck().get()),
      journalMode: String(connection.pragma("journal_mode", { simple: true })),
      logBytes: statSync(`${file}-wal`, { throwIfNoEntry: false })?.size ?? 0,
      freeBytes: bavail * bsize,
      totalBytes: blocks * bsize,
      foreignFileSystem: (await foreignFileSystemOf(file))?.name,
      isReadableByOthers: process.platform !== "win32" && (statSync(file).mode & BY_OTHERS) !== 0,
    };
  } finally {
    connection.close();
  }
}
