import { statSync } from "node:fs";
import Sqlite from "better-sqlite3";
import { isBusy } from "./busy.ts";

const INTERVAL_MS = 250;
/** Pages of 4 KiB. From 16 MiB on, the log is restarted: overwriting it is cheaper than growing it. */
const LONG_PAGES = 4096;
/** At 64 MiB a writer copies the log itself, in case nothing else does. */
const LAST_RESORT_PAGES = 16_384;
const PAGE_BYTES = 4096;

/** Leaves copying this connection's log to {@link keepCheckpointing}, as long as that keeps up. */
export function deferCheckpoints(connection: Sqlite.Database): void {
  connection.pragma(`wal_autocheckpoint = ${LAST_RESORT_PAGES}`);
  // Frees the disk space of a log that had to grow
  connection.pragma(`journal_size_limit = ${LAST_RESORT_PAGES * PAGE_BYTES}`);
}

/**
 * Leaves every checkpoint to another program, which ships the log elsewhere and must see each page of it: Litestream.
 * OP-54.
 */
export function leaveCheckpoints(connection: Sqlite.Database): void {
  connection.pragma("wal_autocheckpoint = 0");
}

/** At 256 MiB something prevents a restart of the log: a reader that never ends, or a slow disk. OP-50. */
const ALARM_PAGES = 65_536;
const WATCH_INTERVAL_MS = 1_000;
const ALARM_INTERVAL_MS = 10 * 60 * 1000;

/**
 * Copies SQLite's log into its file periodically, over its own connection. Runs on a thread, since it waits for the
 * disk, but never for another connection: while a reader (a backup, a shell) needs the log, the log grows, and above
 * 256 MiB `alarm` is called with its size in bytes. Writers wait only while the last pages of a long log are copied
 * before its restart. The log is as durable as the file.
 */
export function keepCheckpointing(file: string, alarm: (logBytes: number) => void): void {
  const connection = new Sqlite(file, { fileMustExist: true, timeout: 0 });
  connection.pragma("synchronous = FULL");
  const copyPages = connection.prepare<[], { log: number }>("PRAGMA wal_checkpoint(PASSIVE)");
  // Fails immediately if another connection uses the log: the timeout is 0
  const restartLog = connection.prepare<[], { log: number }>("PRAGMA wal_checkpoint(RESTART)");
  let alarmedAt = Number.NEGATIVE_INFINITY;

  setInterval(() => {
    let pages = 0;
    try {
      pages = copyPages.get()?.log ?? 0;
      if (pages > LONG_PAGES) restartLog.get();
    } catch (cause) {
      if (!isBusy(cause)) throw cause;
    }
    if (pages < ALARM_PAGES || performance.now() - alarmedAt < ALARM_INTERVAL_MS) return;
    alarmedAt = performance.now();
    alarm(pages * PAGE_BYTES);
  }, INTERVAL_MS);
}

/** Where another program runs checkpoints: calls `alarm` with the size of a log above 256 MiB, in bytes. OP-54. */
export function watchLog(file: string, alarm: (logBytes: number) => void): void {
  let alarmedAt = Number.NEGATIVE_INFINITY;
  setInterval(() => {
    const bytes = statSync(`${file}-wal`, { throwIfNoEntry: false })?.size ?? 0;
    if (bytes < ALARM_PAGES * PAGE_BYTES || performance.now() - alarmedAt < ALARM_INTERVAL_MS) return;
    alarmedAt = performance.now();
    alarm(bytes);
  }, WATCH_INTERVAL_MS);
}
