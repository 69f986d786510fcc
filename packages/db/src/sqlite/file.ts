import { accessSync, closeSync, constants, existsSync, mkdirSync, openSync } from "node:fs";
import { dirname } from "node:path";
import Sqlite from "better-sqlite3";
import { BUSY_TIMEOUT_MS } from "./group-commit.ts";

/** At start, blocking does no harm: several processes that open a new file take turns. */
const OPEN_TIMEOUT_MS = 5000;

/** Opens (and creates) a SQLite file with settings for durability: what is committed survives a power cut. */
export function openFile(file: string): Sqlite.Database {
  if (file !== ":memory:") createOwnFile(file);
  const connection = new Sqlite(file, { timeout: OPEN_TIMEOUT_MS });
  connection.pragma("journal_mode = WAL");
  connection.pragma("synchronous = FULL");
  connection.pragma("foreign_keys = ON");
  connection.pragma(`busy_timeout = ${BUSY_TIMEOUT_MS}`);
  return connection;
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
