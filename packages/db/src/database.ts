import { isAbsolute, resolve } from "node:path";
import { setImmediate } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import type Sqlite from "better-sqlite3";
import type pg from "pg";
import { deferCheckpoints } from "./checkpoint.ts";
import type { Handle } from "./handle.ts";
import { type Dialect, findMigrations, migratePostgres, migrateSqlite } from "./migrate.ts";
import { openPool, postgresHandle } from "./postgres.ts";
import { openFile, sqliteHandle } from "./sqlite.ts";

/** The engine's own connection, for what a builder cannot do (the rate limiter). */
export type Engine = { dialect: "sqlite"; connection: Sqlite.Database } | { dialect: "postgres"; pool: pg.Pool };

/** An open database. */
export type Database = {
  dialect: Dialect;
  handle: Handle;
  engine: Engine;
  /** Brings the schema up to date; safe when several processes do it at once. */
  migrate(): Promise<void>;
  /**
   * From now on a thread may copy SQLite's log into its file, so that no writer waits for that: answers with the file to
   * give to `keepCheckpointing`; undefined where there is nothing to do.
   */
  deferCheckpoints(): string | undefined;
  close(): Promise<void>;
};

export type OpenOptions = {
  /** Folder holding one dialect's migrations; found by itself when absent. */
  migrations?: string;
  /** PostgreSQL connections at most, in this process. */
  maxConnections?: number;
};

/**
 * Opens `file:…` or a plain path as SQLite, `postgres://…` as PostgreSQL. Does not migrate.
 * Throws one clear error on any other URL. A relative path counts from the working directory.
 */
export async function openDatabase(url: string, options: OpenOptions = {}): Promise<Database> {
  if (/^postgres(ql)?:\/\//.test(url)) {
    const pool = openPool(url, options.maxConnections);
    return {
      dialect: "postgres",
      handle: postgresHandle(pool),
      engine: { dialect: "postgres", pool },
      async migrate() {
        await reach(pool, url);
        await migratePostgres(pool, options.migrations ?? findMigrations("postgres"));
      },
      deferCheckpoints: () => undefined,
      close: () => pool.end(),
    };
  }

  const file = fileOf(url);
  const connection = openFile(file);
  return {
    dialect: "sqlite",
    handle: sqliteHandle(connection),
    engine: { dialect: "sqlite", connection },
    migrate: async () => migrateSqlite(connection, options.migrations ?? findMigrations("sqlite")),
    deferCheckpoints() {
      if (file === ":memory:") return undefined;
      deferCheckpoints(connection);
      return file;
    },
    close: async () => {
      await setImmediate(); // writes begun in this turn are queued by the end of it,
      await setImmediate(); // and committed by the end of the next
      connection.close();
    },
  };
}

/** Throws what an operator can act on: which server, and whether it is the network, the password or the name. */
async function reach(pool: pg.Pool, url: string): Promise<void> {
  try {
    (await pool.connect()).release();
  } catch (cause) {
    const why = cause instanceof Error ? cause.message || Reflect.get(cause, "code") : cause;
    const where = URL.canParse(url) ? ` (${new URL(url).host})` : "";
    throw new Error(`The PostgreSQL server of DATABASE_URL${where} cannot be used: ${why}`, { cause });
  }
}

/** `file:///a/b.db`, `file:/a/b.db`, `file:b.db`, `/a/b.db` and `./b.db` all name a file. */
function fileOf(url: string): string {
  if (url === ":memory:") return url;
  if (url.startsWith("file:///")) return fileURLToPath(url);
  const path = url.startsWith("file:") ? url.slice("file:".length) : url;
  if (path === "" || /^[a-z][a-z0-9+.-]*:\/\//i.test(path)) {
    throw new Error(`DATABASE_URL is not usable: "${url.split("@").at(-1)}". Use file:<path> for SQLite or postgres://… for PostgreSQL.`);
  }
  return isAbsolute(path) ? path : resolve(path);
}
