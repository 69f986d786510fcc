import { tmpdir } from "node:os";
import { isAbsolute, join, resolve } from "node:path";
import { setImmediate } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import type { Worker } from "node:worker_threads";
import { findStoreUnavailable } from "@gatehouse/auth";
import { isUrl } from "@gatehouse/runtime";
import type Sqlite from "better-sqlite3";
import pg from "pg";
import type { SchemaState } from "./migrations/plan.ts";
import { isMigrating, migratePostgres } from "./migrations/postgres.ts";
import {
  type AppliedMigration,
  historyOfPostgres,
  historyOfSqlite,
  type Preview,
  previewPostgres,
  previewSqlite,
} from "./migrations/preview.ts";
import {
  type Dialect,
  GATEHOUSE,
  type MigrationSource,
  readMigrations,
  readSeries,
  type Series,
} from "./migrations/read.ts";
import { postgresSchema, sqliteSchema } from "./migrations/schema-state.ts";
import { migrateSqlite } from "./migrations/sqlite.ts";
import { postgresDb, postgresReadDb } from "./postgres/db.ts";
import {
  closePool,
  ignoreError,
  openPool,
  type Pool,
  setRoleTimeouts,
  withConnection,
  withRetries,
} from "./postgres/pool.ts";
import { NO_WAITS, type PoolWaits, trackWaits } from "./postgres/pool-waits.ts";
import { createStatementNames, type Preparing } from "./postgres/statement-names.ts";
import { unverifiedTransport } from "./postgres/transport.ts";
import type { Db, ReadDb } from "./query/db.ts";
import { deferCheckpoints, leaveCheckpoints } from "./sqlite/checkpoint.ts";
import { sqliteDb, sqliteReadDb } from "./sqlite/db.ts";
import { openFile } from "./sqlite/file.ts";
import { lockShared } from "./sqlite/file-lock.ts";
import { createGroupCommit, type GroupCommit } from "./sqlite/group-commit.ts";
import { readRows } from "./sqlite/read-thread.ts";
import { createThreadReader, type ThreadReader } from "./sqlite/thread-reader.ts";
import type { WriteGate } from "./write-gate.ts";

/** The engine's own connection, for what the builder cannot express (the rate limiter). */
export type Engine =
  | { dialect: "sqlite"; connection: Sqlite.Database; write: GroupCommit["write"] }
  | { dialect: "postgres"; pool: Pool };

/** An open database. */
export type Database = {
  dialect: Dialect;
  db: Db;
  /**
   * For scheduled work and the console. On PostgreSQL it has its own connections, so that neither can use up those for
   * clients and users. OP-26.
   */
  background: Db;
  /** For slow reads, such as the console's lists. Sees every write committed before. */
  reads: ReadDb;
  /** For lists that may be some seconds behind: those of {@link OpenOptions.readUrl}. OP-33 */
  lists: ReadDb;
  engine: Engine;
  /** Compares the schema with this program's. Throws SchemaError if they are incompatible. Changes nothing. */
  schema(): Promise<SchemaState>;
  /**
   * Applies missing migrations and returns their names. Several processes can call it at the same time. Throws
   * SchemaError.
   */
  migrate(): Promise<string[]>;
  /** What {@link Database.migrate} would do; on SQLite tried on a copy beside the file. Throws SchemaError. OP-64 */
  previewMigrations(): Promise<Preview>;
  /** The migrations that were applied, and when. */
  migrationHistory(): Promise<AppliedMigration[]>;
  /**
   * Leaves copying SQLite's log into its file to a thread, so that no writer waits for it. Returns the file for
   * `keepCheckpointing`; undefined if there is no log.
   */
  deferCheckpoints(): string | undefined;
  /**
   * Runs {@link Database.reads} on a thread from now on, so that they do not block the event loop. `start` starts it
   * for SQLite's file with the first read; it runs `answerReads`. Does nothing on PostgreSQL.
   */
  readOnThread(start: (file: string) => Worker): void;
  /** What waits for one of the connections of {@link Database.db}; nothing on SQLite. */
  poolWaits(): PoolWaits;
  /** Whether this process refuses writes from now on: they fail with StoreUnavailable, and reads go on. OP-55. */
  refuseWrites(refuse: boolean): void;
  close(): Promise<void>;
};

export type OpenOptions = {
  /** The folder of one dialect's migrations; by default the repository's. */
  migrations?: string;
  /** Migrations that apply after Gatehouse's own. */
  further?: readonly MigrationSource[];
  /**
   * The maximum of this process's PostgreSQL connections for {@link Database.db}; 10 by default. `background` has two
   * more.
   */
  maxConnections?: number | undefined;
  /** The URL of the same database past a connection pooler, for migrations. */
  directUrl?: string | undefined;
  /** The URL of a standby, for {@link Database.lists}; by default they are {@link Database.reads}. */
  readUrl?: string | undefined;
  /** Whether statements on PostgreSQL have names; `auto` by default. */
  preparing?: Preparing;
  /** Who copies SQLite's log into its file: this program, or another one that ships the log. `own` by default. OP-54. */
  checkpoint?: "own" | "external";
  /** Called with what the operator should know, in a sentence. */
  warn?: (message: string) => void;
};

/**
 * Opens `file:…` or a path as SQLite, and `postgres://…` as PostgreSQL; throws on any other URL. A relative path is
 * relative to the working directory. Does not migrate.
 */
export async function openDatabase(url: string, options: OpenOptions = {}): Promise<Database> {
  if (/^postgres(ql)?:\/\//.test(url)) {
    const series = () => seriesOf("postgres", options);
    const unverified = unverifiedTransport(url);
    if (unverified) options.warn?.(unverified);
    const names = createStatementNames(options.preparing ?? "auto", () => options.warn?.(NAMES_LOST));
    const gate: WriteGate = { closed: false };
    const pool = openPool(url, options.maxConnections ?? CONNECTIONS, names, gate);
    const poolWaits = trackWaits(pool);
    const backgroundPool = openPool(url, BACKGROUND_CONNECTIONS, names, gate);
    const reads = postgresReadDb(backgroundPool);
    const standby = options.readUrl === undefined ? undefined : openStandby(options.readUrl, gate);
    return {
      dialect: "postgres",
      db: postgresDb(pool),
      background: postgresDb(backgroundPool),
      reads,
      lists: standby ? postgresReadDb(standby) : reads,
      engine: { dialect: "postgres", pool },
      async schema() {
        await reach(pool, url);
        return postgresSchema(pool, series());
      },
      async migrate() {
        await reach(pool, url);
        const applied = await migrateOverOwnConnection(pool, url, options.directUrl, series());
        await setRoleTimeouts(pool);
        return applied;
      },
      async previewMigrations() {
        await reach(pool, url);
        return previewPostgres(pool, series());
      },
      migrationHistory: () => historyOfPostgres(pool, series()),
      deferCheckpoints: () => undefined,
      readOnThread() {},
      poolWaits,
      refuseWrites(refuse) {
        gate.closed = refuse;
      },
      close: async () => void (await Promise.all([pool, backgroundPool, standby].map((one) => one && closePool(one)))),
    };
  }

  const series = () => seriesOf("sqlite", options);
  const file = fileOf(url);
  const lock = file === ":memory:" ? undefined : lockShared(file); // before opening it: a restore may replace the file
  const connection = openFile(file);
  if (options.checkpoint === "external") leaveCheckpoints(connection);
  const gate: WriteGate = { closed: false };
  const groupCommit = createGroupCommit(connection, gate);
  const db = sqliteDb(connection, groupCommit);
  let reader: ThreadReader | undefined;
  const reads = sqliteReadDb(async (sql, params) =>
    reader ? reader.run(sql, params) : readRows(connection, sql, params),
  );
  return {
    dialect: "sqlite",
    db,
    background: db,
    reads,
    lists: reads,
    engine: { dialect: "sqlite", connection, write: groupCommit.write },
    schema: async () => sqliteSchema(connection, series()),
    migrate: async () => migrateSqlite(connection, series()),
    previewMigrations: async () => previewSqlite(connection, series(), `${sqliteFileOr(file)}.${process.pid}.trial`),
    migrationHistory: async () => historyOfSqlite(connection, series()),
    deferCheckpoints() {
      if (file === ":memory:") return undefined;
      if (options.checkpoint !== "external") deferCheckpoints(connection);
      return file;
    },
    readOnThread(start) {
      if (file !== ":memory:") reader ??= createThreadReader(() => start(file));
    },
    poolWaits: () => NO_WAITS,
    refuseWrites(refuse) {
      gate.closed = refuse;
    },
    close: async () => {
      await reader?.close();
      await setImmediate(); // writes of this turn are queued when it ends
      await groupCommit.idle();
      connection.close();
      lock?.close();
    },
  };
}

/** Connections to a standby. Those that know names of statements belong to another server. */
const openStandby = (url: string, gate: WriteGate): Pool =>
  openPool(
    url,
    BACKGROUND_CONNECTIONS,
    createStatementNames("off", () => {}),
    gate,
  );

/** The file of a SQLite URL; undefined for PostgreSQL and for an in-memory database. */
export function sqliteFile(url: string): string | undefined {
  if (/^postgres(ql)?:\/\//.test(url)) return undefined;
  const file = fileOf(url);
  return file === ":memory:" ? undefined : file;
}

/** Beside the file, where there is room for one; of a database in memory, in the folder for temporary files. */
function sqliteFileOr(file: string): string {
  return file === ":memory:" ? join(tmpdir(), "gatehouse-migrations") : file;
}

function seriesOf(dialect: Dialect, { migrations, further = [] }: OpenOptions): Series[] {
  const own =
    migrations === undefined
      ? readSeries(dialect, GATEHOUSE)
      : { ledger: GATEHOUSE.ledger, migrations: readMigrations(migrations) };
  return [own, ...further.map((source) => readSeries(dialect, source))];
}

const CONNECTIONS = 10;
const BACKGROUND_CONNECTIONS = 2;

const NAMES_LOST =
  "DATABASE_URL leads through a connection pooler that does not keep prepared statements. PostgreSQL parses each statement again from now on, " +
  "which costs it time. Use PgBouncer 1.21 or later with max_prepared_statements, or set DATABASE_PREPARE=off to confirm this.";

/** The pool's connections have time limits on this side as well. */
async function migrateOverOwnConnection(pool: Pool, url: string, directUrl = url, series: Series[]): Promise<string[]> {
  const client = new pg.Client({ connectionString: directUrl, keepAlive: true, connectionTimeoutMillis: 10_000 });
  client.on("error", ignoreError);
  await client.connect().catch((cause) => {
    throw cannotBeUsed(directUrl === url ? "DATABASE_URL" : "DATABASE_DIRECT_URL", directUrl, cause);
  });
  try {
    return await migratePostgres(client, series, {
      async onLock() {
        if (directUrl !== url && !(await isMigrating(pool))) throw new Error(OTHER_DATABASE);
      },
    });
  } finally {
    await client.end();
  }
}

const OTHER_DATABASE =
  "DATABASE_DIRECT_URL and DATABASE_URL lead to different databases. Nothing was changed. Both must name the same one, on the primary server.";

/**
 * Runs a transaction. Throws an error that an operator can act on: which server, and whether the network, the password
 * or the name is wrong, or a pooler allows no transactions.
 */
async function reach(pool: Pool, url: string): Promise<void> {
  try {
    await withRetries(pool, true, () =>
      withConnection(pool, async (connection) => {
        await connection.query("BEGIN");
        await connection.query("COMMIT");
      }),
    );
  } catch (thrown) {
    throw cannotBeUsed("DATABASE_URL", url, findStoreUnavailable(thrown)?.cause ?? thrown);
  }
}

function cannotBeUsed(variable: string, url: string, cause: unknown): Error {
  const why = cause instanceof Error ? cause.message || Reflect.get(cause, "code") : cause;
  const where = isUrl(url) ? ` (${new URL(url).host})` : "";
  return new Error(`The PostgreSQL server of ${variable}${where} cannot be used: ${why}`, { cause });
}

/** `file:///a/b.db`, `file:/a/b.db`, `file:b.db`, `/a/b.db` and `./b.db` all name a file. */
function fileOf(url: string): string {
  if (url === ":memory:") return url;
  if (url.startsWith("file:///")) return fileURLToPath(url);
  const path = url.startsWith("file:") ? url.slice("file:".length) : url;
  if (path === "" || /^[a-z][a-z0-9+.-]*:\/\//i.test(path)) {
    throw new Error(
      `DATABASE_URL is not usable: "${url.split("@").at(-1)}". Use file:<path> for SQLite or postgres://… for PostgreSQL.`,
    );
  }
  return isAbsolute(path) ? path : resolve(path);
}
