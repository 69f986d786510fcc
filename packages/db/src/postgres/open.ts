import { findStoreUnavailable } from "@gatehouse/auth";
import { isUrl } from "@gatehouse/runtime";
import pg from "pg";
import type { Database, OpenOptions } from "../contract.ts";
import { isMigrating, migratePostgres } from "../migrations/postgres.ts";
import { historyOfPostgres, previewPostgres } from "../migrations/preview.ts";
import { type Series, seriesOf } from "../migrations/read.ts";
import { postgresSchema } from "../migrations/schema-state.ts";
import { hasPartitions, keepPartitions, NOTHING_KEPT, safeNow } from "../partitions/keep.ts";
import type { WriteGate } from "../write-gate.ts";
import { connectPostgres } from "./connect.ts";
import { postgresDb, postgresReadDb } from "./db.ts";
import { closePool, ignoreError, openPool, type Pool, setRoleTimeouts, withConnection, withRetries } from "./pool.ts";
import { createStatementNames } from "./statement-names.ts";
import { unverifiedTransport } from "./transport.ts";

/** The connections of a process to its database: for clients and users, and for scheduled work and the console. */
export type Pools = { pool: Pool; backgroundPool: Pool };

/** Connects when needed. */
export function openPools(url: string, options: OpenOptions): Pools {
  const names = createStatementNames(options.preparing ?? "auto", () => options.warn?.(NAMES_LOST));
  const gate: WriteGate = { closed: false };
  return {
    pool: openPool(url, options.maxConnections ?? CONNECTIONS, names, gate),
    backgroundPool: openPool(url, BACKGROUND_CONNECTIONS, names, gate),
  };
}

/** As `openDatabase`, for a `postgres://…` URL. Connects when needed, and closes `pools` when it is closed. */
export function openPostgres(url: string, options: OpenOptions, pools = openPools(url, options)): Database {
  const series = () => seriesOf("postgres", options);
  const unverified = unverifiedTransport(url);
  if (unverified) options.warn?.(unverified);
  const { pool, backgroundPool } = pools;
  const { gate } = pool;
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
    async keepPartitions() {
      if (!(await hasPartitions(backgroundPool))) return NOTHING_KEPT;
      return connectPostgres(options.directUrl ?? url, async (client) => keepPartitions(client, await safeNow(client)));
    },
    deferCheckpoints: () => undefined,
    readOnThread() {},
    poolWaits: () => pool.waits(),
    refuseWrites(refuse) {
      gate.closed = refuse;
    },
    close: async () => void (await Promise.all([pool, backgroundPool, standby].map((one) => one && closePool(one)))),
  };
}

/** Connections to a standby, which knows none of the names of statements that the primary does. */
const openStandby = (url: string, gate: WriteGate): Pool =>
  openPool(
    url,
    BACKGROUND_CONNECTIONS,
    createStatementNames("off", () => {}),
    gate,
  );

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
