import { statSync } from "node:fs";
import { statfs } from "node:fs/promises";
import { dirname } from "node:path";
import Sqlite from "better-sqlite3";

/** What a SQLite file, and the file system that it is on, show. */
export type SqliteFacts = {
  version: string;
  /** "wal" for all that Gatehouse makes. */
  journalMode: string;
  /** Bytes of the log beside the file. */
  logBytes: number;
  freeBytes: number;
  totalBytes: number;
  /** The name of a file system on which SQLite's locks and shared memory do not work; undefined on any other. */
  remoteFileSystem: string | undefined;
  /** Whether other users of the machine can read the file. */
  isReadableByOthers: boolean;
};

/** By the numbers of statfs(2). Several machines see one file there, or locks are not the kernel's. OP-09 */
const REMOTE: Readonly<Record<number, string>> = {
  26985: "NFS",
  20859: "SMB",
  4283649346: "CIFS",
  4266872130: "SMB 2",
  16914839: "9p",
  1702057286: "FUSE",
  2020557398: "a folder shared by VirtualBox",
  1937076805: "Coda",
  12805120: "CephFS",
};
const BY_OTHERS = 0o004;

/** Opens the file read-only. Throws if there is none. */
export async function readSqliteFacts(file: string): Promise<SqliteFacts> {
  const connection = new Sqlite(file, { readonly: true, fileMustExist: true });
  try {
    const { type, bavail, blocks, bsize } = await statfs(dirname(file));
    return {
      version: String(connection.prepare("SELECT sqlite_version()").pluck().get()),
      journalMode: String(connection.pragma("journal_mode", { simple: true })),
      logBytes: statSync(`${file}-wal`, { throwIfNoEntry: false })?.size ?? 0,
      freeBytes: bavail * bsize,
      totalBytes: blocks * bsize,
      remoteFileSystem: process.platform === "linux" ? REMOTE[type >>> 0] : undefined,
      isReadableByOthers: process.platform !== "win32" && (statSync(file).mode & BY_OTHERS) !== 0,
    };
  } finally {
    connection.close();
  }
}
