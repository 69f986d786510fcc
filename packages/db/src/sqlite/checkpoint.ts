import Sqlite from "better-sqlite3";
import { isBusy } from "./busy.ts";

const EVERY_MS = 250;
/** Pages of 4 KiB. A log as long as this, 16 MiB, begins anew: overwriting what is there is cheaper than growing. */
const LONG_PAGES = 4096;
/** At so many, 64 MiB, a writer copies the log over by itself, should nobody have. */
const LAST_RESORT_PAGES = 16_384;
const PAGE_BYTES = 4096;

/** Leaves copying this connection's log to {@link keepCheckpointing}, while that keeps up. */
export function deferCheckpoints(connection: Sqlite.Database): void {
  connection.pragma(`wal_autocheckpoint = ${LAST_RESORT_PAGES}`);
  connection.pragma(`journal_size_limit = ${LAST_RESORT_PAGES * PAGE_BYTES}`); // gives back the disk space of a log that had to grow
}

/** At so many, 256 MiB, something keeps the log from beginning anew: a reader that never ends, or a disk that is too slow. OP-50. */
const ALARM_PAGES = 65_536;
const ALARM_EVERY_MS = 10 * 60 * 1000;

/**
 * Copies SQLite's log into its file again and again, over a connection of its own: meant for a thread, since it waits for the disk.
 * It never waits for another connection: while a reader (a backup, a shell) needs the log as it is, the log grows, and `alarm` is
 * called with its bytes when it is longer than 256 MiB. Writers wait only while the last few pages of a long log are copied, so that
 * it can begin anew. What is in the log is as durable as what is in the file.
 */
export function keepCheckpointing(file: string, alarm: (logBytes: number) => void): void {
  const connection = new Sqlite(file, { fileMustExist: true, timeout: 0 });
  connection.pragma("synchronous = FULL");
  const copyPages = connection.prepare<[], { log: number }>("PRAGMA wal_checkpoint(PASSIVE)");
  const tryBeginAnew = connection.prepare<[], { log: number }>("PRAGMA wal_checkpoint(RESTART)"); // gives up at once, the timeout being 0
  let alarmedAt = Number.NEGATIVE_INFINITY;

  setInterval(() => {
    let pages = 0;
    try {
      pages = copyPages.get()?.log ?? 0;
      if (pages > LONG_PAGES) tryBeginAnew.get();
    } catch (cause) {
      if (!isBusy(cause)) throw cause;
    }
    if (pages < ALARM_PAGES || performance.now() - alarmedAt < ALARM_EVERY_MS) return;
    alarmedAt = performance.now();
    alarm(pages * PAGE_BYTES);
  }, EVERY_MS);
}
