import Sqlite from "better-sqlite3";

const EVERY_MS = 250;
/** Pages of 4 KiB. A log as long as this, 16 MiB, begins anew: overwriting what is there is cheaper than growing. */
const LONG_PAGES = 4096;
/** At so many, 64 MiB, a writer copies the log over by itself, should nobody have. */
const LAST_RESORT_PAGES = 16_384;

/** Leaves copying this connection's log to {@link keepCheckpointing}, while that keeps up. */
export function deferCheckpoints(connection: Sqlite.Database): void {
  connection.pragma(`wal_autocheckpoint = ${LAST_RESORT_PAGES}`);
}

/**
 * Copies SQLite's log into its file again and again, over a connection of its own: meant for a thread, since it waits for
 * the disk. Only to let a long log begin anew does it hold up writers, while the last few pages are copied. What is in the log is as
 * durable as what is in the file.
 */
export function keepCheckpointing(file: string): void {
  const connection = new Sqlite(file, { fileMustExist: true });
  connection.pragma("synchronous = FULL");
  const copyPages = connection.prepare<[], { log: number }>("PRAGMA wal_checkpoint(PASSIVE)");
  const beginAnew = connection.prepare("PRAGMA wal_checkpoint(RESTART)");
  setInterval(() => {
    const pages = copyPages.get()?.log ?? 0;
    if (pages > LONG_PAGES) beginAnew.all();
  }, EVERY_MS);
}
