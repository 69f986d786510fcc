import { accessSync, closeSync, constants, existsSync, mkdirSync, openSync } from "node:fs";
import { dirname } from "node:path";
import Sqlite from "better-sqlite3";
import { BUSY_TIMEOUT_MS } from "./group-commit.ts";

/** At start, blocking does no harm: several processes that open a new file take turns. */
const OPEN_TIMEOUT_MS = 5000;

/**
 * Opens (and creates) a SQLite file with settings for durability: what is committed survives a power cut. Throws if it
 * cannot have a write-ahead log. OP-14
 */
export function openFile(file: string): Sqlite.Database {
  if (file !== ":memory:") createOwnFile(file);
  const connection = new Sqlite(file, { timeout: OPEN_TIMEOUT_MS });
  assertWal(file, connection.pragma("journal_mode = WAL", { simple: true }));
  connection.pragma("synchronous = FULL");
  connection.pragma("foreign_keys = ON");
  connection.pragma(`busy_timeout = ${BUSY_TIMEOUT_MS}`);
  return connection;
}

/** SQLite answers with the mode that the file has then, instead of failing. */
export function assertWal(file: string, mode: unknown): void {
  if (mode === "wal" || file === ":memory:") return;
  throw new Error(
    `${file} cannot have a write-ahead log (its journal mode is "${mode}"), so readers would block writers. ` +
      "Move the data folder to a disk of this machine, or use PostgreSQL.",
  );
}

/**
 * Creates the file, readable by its owner only, before SQLite does; SQLite gives the files beside it the same
 * permissions. Does not open a file that exists: closing it would release the locks that this process holds on it.
 */
export function createOwnFile(file: string): void {
  try {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
    if (existsSync(file)) accessSync(file, constants.R_OK | constants.W_OK);
    else closeSync(openSync(file, "a", 0o600));
  } catch (cause) {
    const fix = "Set GATEHOUSE_DATA_DIR or DATABASE_URL to a place that this account can write to.";
    throw new Error(`The database file cannot be opened (${cause instanceof Error ? cause.message : cause}). ${fix}`, {
      cause,
    });
  }
}
