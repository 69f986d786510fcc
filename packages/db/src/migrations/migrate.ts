import type Sqlite from "better-sqlite3";
import type pg from "pg";
import { type Applied, NO_UPGRADE, planMigrations, SchemaError, type SchemaState, stateOfAll } from "./plan.ts";
import { GATEHOUSE, INITIAL, readSeries, type Series } from "./read.ts";

// Each series has a ledger of its applied migrations, by name and hash. drizzle's own ledger has only dates and skips
// every migration older than the latest one.

const createLedger = (ledger: string) =>
  `CREATE TABLE IF NOT EXISTS ${ledger} (name text PRIMARY KEY NOT NULL, hash text NOT NULL, min_program text, applied_at bigint NOT NULL)`;
const noteIn = (ledger: string, values: string) =>
  `INSERT INTO ${ledger} (name, hash, min_program, applied_at) VALUES (${values})`;
const readLedger = (ledger: string) => `SELECT name, hash, min_program AS "minProgram" FROM ${ledger}`;

/** The first of the migrations that the initial one replaced. */
const FIRST = "0000_first";

/** The ledger's rows. Throws SchemaError if the database is older than the initial migration. */
function appliedIn(
  { ledger, migrations }: Series,
  recorded: readonly Applied[] | undefined,
  hasOtherLedger: boolean,
): readonly Applied[] {
  const isOld = recorded ? recorded.some(({ name }) => name === FIRST) : hasOtherLedger;
  if (isOld && ledger === GATEHOUSE.ledger && migrations[0]?.name === INITIAL) throw new SchemaError(NO_UPGRADE);
  return recorded ?? [];
}

/** Compares the database with all series, Gatehouse's first. Throws SchemaError. Changes nothing. */
export function sqliteSchema(connection: Sqlite.Database, all: readonly Series[]): SchemaState {
  return stateOfAll(all.map((series) => planMigrations(series.migrations, findOnSqlite(connection, series)).state));
}

function findOnSqlite(connection: Sqlite.Database, series: Series): readonly Applied[] {
  const hasTable = connection
    .prepare<[string]>("SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = ?")
    .pluck();
  const recorded = hasTable.get(series.ledger)
    ? connection.prepare<[], Applied>(readLedger(series.ledger)).all()
    : undefined;
  return appliedIn(series, recorded, hasTable.get("__drizzle_migrations") !== undefined);
}

/**
 * Throws SchemaError if this version cannot use a backup, or migrate it: restoring one would leave a server that does
 * not start.
 */
export function assertUsable(backup: Sqlite.Database): void {
  try {
    sqliteSchema(backup, [readSeries("sqlite", GATEHOUSE)]);
  } catch (cause) {
    throw cause instanceof SchemaError
      ? new SchemaError(`This version cannot use the backup. ${cause.message}`)
      : cause;
  }
}

/** The names of Gatehouse's applied migrations, in order; empty if the database has no Gatehouse ledger. */
export function migrationNames(connection: Sqlite.Database): string[] {
  const ledger = connection
    .prepare("SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = ?")
    .get(GATEHOUSE.ledger);
  return ledger
    ? connection.prepare<[], string>(`SELECT name FROM ${GATEHOUSE.ledger} ORDER BY name`).pluck().all()
    : [];
}

/** At start, blocking does no harm, and migrating a large table takes long. */
const WAIT_FOR_OTHERS_MS = 60_000;

/**
 * Applies the missing migrations, all or nothing, and returns their names. Of several processes that start at once, one
 * migrates; the others wait and then find nothing to do. Throws SchemaError.
 */
export function migrateSqlite(connection: Sqlite.Database, all: readonly Series[]): string[] {
  const busyTimeout = connection.pragma("busy_timeout", { simple: true });
  connection.pragma(`busy_timeout = ${WAIT_FOR_OTHERS_MS}`);
  connection.pragma("foreign_keys = OFF"); // rebuilding a table must not cascade; has no effect inside a transaction
  try {
    connection.exec("BEGIN IMMEDIATE");
    const done = all.flatMap((series) => applySeries(connection, series));
    connection.exec("COMMIT");
    return done;
  } catch (cause) {
    if (connection.inTransaction) connection.exec("ROLLBACK");
    throw cause;
  } finally {
    connection.pragma("foreign_keys = ON");
    connection.pragma(`busy_timeout = ${busyTimeout}`);
  }
}

function applySeries(connection: Sqlite.Database, series: Series): string[] {
  const { ledger, migrations } = series;
  const { missing } = planMigrations(migrations, findOnSqlite(connection, series));
  connection.exec(createLedger(ledger));
  const note = connection.prepare(noteIn(ledger, "?, ?, ?, ?"));
  for (const { name, hash, minProgram, statements } of missing) {
    for (const statement of statements) connection.exec(statement);
    note.run(name, hash, minProgram, Date.now());
  }
  return missing.map(({ name }) => name);
}

type Client = Pick<pg.ClientBase, "query">;

/** As {@link sqliteSchema}. */
export async function postgresSchema(client: Client, all: readonly Series[]): Promise<SchemaState> {
  const states: SchemaState[] = [];
  for (const series of all) states.push(planMigrations(series.migrations, await findOnPostgres(client, series)).state);
  return stateOfAll(states);
}

async function findOnPostgres(client: Client, series: Series): Promise<readonly Applied[]> {
  const { rows } = await client.query<{ ours: boolean; drizzle: boolean }>(
    "SELECT to_regclass($1) IS NOT NULL AS ours, to_regclass('drizzle.__drizzle_migrations') IS NOT NULL AS drizzle",
    [series.ledger],
  );
  const recorded = rows[0]?.ours ? (await client.query<Applied>(readLedger(series.ledger))).rows : undefined;
  return appliedIn(series, recorded, rows[0]?.drizzle === true);
}

const MIGRATION_LOCK = 7_240_331; // any number, the same in every process

/**
 * As {@link migrateSqlite}. Other processes wait for a lock that ends with the transaction, as do the settings: through
 * a pooler, anything that outlives it would be another client's. `onLock` is called before the first change.
 */
export async function migratePostgres(
  client: Client,
  all: readonly Series[],
  onLock: () => Promise<void> = async () => {},
): Promise<string[]> {
  await client.query("BEGIN");
  try {
    await client.query("SET LOCAL statement_timeout = 0; SET LOCAL lock_timeout = 0");
    await client.query("SELECT pg_advisory_xact_lock($1)", [MIGRATION_LOCK]);
    await onLock();
    const done: string[] = [];
    for (const series of all) done.push(...(await applySeriesOnPostgres(client, series)));
    await client.query("COMMIT");
    return done;
  } catch (cause) {
    await client.query("ROLLBACK").catch(() => {}); // the connection may be gone; the first error is the one to report
    throw cause;
  }
}

/** Whether the client's database is the one in which another client migrates now. */
export async function isMigrating(client: Client): Promise<boolean> {
  const { rows } = await client.query<{ free: boolean }>("SELECT pg_try_advisory_xact_lock($1) AS free", [
    MIGRATION_LOCK,
  ]);
  return rows[0]?.free === false;
}

async function applySeriesOnPostgres(client: Client, series: Series): Promise<string[]> {
  const { ledger, migrations } = series;
  const { missing } = planMigrations(migrations, await findOnPostgres(client, series));
  await client.query(createLedger(ledger));
  for (const { name, hash, minProgram, statements } of missing) {
    for (const statement of statements) await client.query(statement);
    await client.query(noteIn(ledger, "$1, $2, $3, $4"), [name, hash, minProgram, Date.now()]);
  }
  return missing.map(({ name }) => name);
}
