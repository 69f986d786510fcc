import type { Worker } from "node:worker_threads";
import type Sqlite from "better-sqlite3";
import type { SchemaState } from "./migrations/plan.ts";
import type { AppliedMigration, Preview } from "./migrations/preview.ts";
import type { Dialect, MigrationSource } from "./migrations/read.ts";
import type { KeptPartitions } from "./partitions/keep.ts";
import type { Pool } from "./postgres/pool.ts";
import type { PoolWaits } from "./postgres/pool-waits.ts";
import type { Preparing } from "./postgres/statement-names.ts";
import type { Db, ReadDb } from "./query/db.ts";
import type { GroupCommit } from "./sqlite/group-commit.ts";

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
   * Makes and drops partitions, as the owner of the tables if {@link OpenOptions.directUrl} names it. Undefined on
   * SQLite, which has none. OP-35
   */
  keepPartitions: (() => Promise<KeptPartitions>) | undefined;
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
