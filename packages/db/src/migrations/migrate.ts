import type Sqlite from "better-sqlite3";
import type pg from "pg";
import { findAdopted, oldChainError } from "./old-chain.ts";
import { type Applied, planMigrations, SchemaError, type SchemaState, stateOfAll } from "./plan.ts";
import { GATEHOUSE, readSeries, type Series } from "./read.ts";

// Each series has a ledger of its applied migrations, by name and hash. drizzle's own ledger has only dates and skips every migration older
// than the latest one.

const createLedger = (ledger: string) =>
  `CREATE TABLE IF NOT EXISTS ${ledger} (name text PRIMARY KEY NOT NULL, hash text NOT NULL, min_program text, applied_at bigint NOT NULL)`;
const noteIn = (ledger: string, values: string) => `INSERT INTO ${ledger} (name, hash, min_program, applied_at) VALUES (${values})`;
const readLedger = (ledger: string) => `SELECT name, hash, min_program AS "minProgram" FROM ${ledger}`;

/** `adopted` is the initial migration if it stands for the old chain in the ledger. */
type Found = { applied: readonly Applied[]; adopted: Applied | undefined };

function found({ ledger, migrations }: Series, recorded: readonly Applied[] | undefined, hasOtherLedger: boolean): Found {
  if (ledger !== GATEHOUSE.ledger) return { applied: recorded ?? [], adopted: undefined };
  if (recorded === undefined && hasOtherLedger) throw oldChainError();
  const adopted = findAdopted(recorded ?? [], migrations);
  return { applied: adopted ? [adopted] : (recorded ?? []), adopted };
}

/** Compares the database with all series, Gatehouse's first. Throws SchemaError. Changes nothing. */
export function sqliteSchema(connection: Sqlite.Database, all: readonly Series[]): SchemaState {
  return stateOfAll(all.map((series) => planMigrations(series.migrations, findOnSqlite(connection, series).applied).state));
}

function findOnSqlite(connection: Sqlite.Database, series: Series): Found {
  const hasTable = connection.prepare<[string]>("SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = ?").pluck();
  const recorded = hasTable.get(series.ledger) ? connection.prepare<[], Applied>(readLedger(series.ledger)).all() : undefined;
  return found(series, recorded, hasTable.get("__drizzle_migrations") !== undefined);
}

/** Throws SchemaError if this version cannot migrate a backup because it is too old. */
export function assertNotTooOld(backup: Sqlite.Database): void {
  try {
    findOnSqlite(backup, readSeries("sqlite", GATEHOUSE));
  } catch (cause) {
    throw cause instanceof SchemaError ? oldChainError(true) : cause;
  }
}

/** The names of Gatehouse's applied migrations, in order; empty if the database has no Gatehouse ledger. */
export function migrationNames(connection: Sqlite.Database): string[] {
  const ledger = connection.prepare("SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = ?").get(GATEHOUSE.ledger);
  return ledger ? connection.prepare<[], string>(`SELECT name FROM ${GATEHOUSE.ledger} ORDER BY name`).pluck().all() : [];
}

/** At start, blocking does no harm, and migrating a large table takes long. */
const WAIT_FOR_OTHERS_MS = 60_000;

/**
 * Applies the missing migrations, all or nothing, and returns their names. Of several processes that start at once, one migrates; the others
 * wait and then find nothing to do. Throws SchemaError.
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
  const { applied, adopted } = findOnSqlite(connection, series);
  const { missing } = planMigrations(migrations, applied);
  connection.exec(createLedger(ledger));
  const note = connection.prepare(noteIn(ledger, "?, ?, ?, ?"));
  const noteApplied = ({ name, hash, minProgram }: Applied) => note.run(name, hash, minProgram, Date.now());
  if (adopted) {
    connection.exec(`DELETE FROM ${ledger}`);
    noteApplied(adopted);
  }
  for (const one of missing) {
    for (const statement of one.statements) connection.exec(statement);
    noteApplied(one);
  }
  return missing.map(({ name }) => name);
}

type Client = Pick<pg.ClientBase, "query">;

/** As {@link sqliteSchema}. */
export async function postgresSchema(client: Client, all: readonly Series[]): Promise<SchemaState> {
  const states: SchemaState[] = [];
  for (const series of all) states.push(planMigrations(series.migrations, (await findOnPostgres(client, series)).applied).state);
  return stateOfAll(states);
}

async function findOnPostgres(client: Client, series: Series): Promise<Found> {
  const { rows } = await client.query<{ ours: boolean; drizzle: boolean }>(
    "SELECT to_regclass($1) IS NOT NULL AS ours, to_regclass('drizzle.__drizzle_migrations') IS NOT NULL AS drizzle",
    [series.ledger],
  );
  const recorded = rows[0]?.ours ? (await client.query<Applied>(readLedger(series.ledger))).rows : undefined;
  return found(series, recorded, rows[0]?.drizzle === true);
}

const MIGRATION_LOCK = 7_240_331; // any number, the same in every process

/** As {@link migrateSqlite}. Other processes wait for a lock that ends with the transaction. */
export async function migratePostgres(client: Client, all: readonly Series[]): Promise<string[]> {
  await client.query("BEGIN");
  try {
    await client.query("SELECT pg_advisory_xact_lock($1)", [MIGRATION_LOCK]);
    const done: string[] = [];
    for (const series of all) done.push(...(await applySeriesOnPostgres(client, series)));
    await client.query("COMMIT");
    return done;
  } catch (cause) {
    await client.query("ROLLBACK").catch(() => {}); // the connection may be gone; the first error is the one to report
    throw cause;
  }
}

async function applySeriesOnPostgres(client: Client, series: Series): Promise<string[]> {
  const { ledger, migrations } = series;
  const { applied, adopted } = await findOnPostgres(client, series);
  const { missing } = planMigrations(migrations, applied);
  await client.query(createLedger(ledger));
  const noteApplied = ({ name, hash, minProgram }: Applied) =>
    client.query(noteIn(ledger, "$1, $2, $3, $4"), [name, hash, minProgram, Date.now()]);
  if (adopted) {
    await client.query(`DELETE FROM ${ledger}`);
    await noteApplied(adopted);
  }
  for (const one of missing) {
    for (const statement of one.statements) await client.query(statement);
    await noteApplied(one);
  }
  return missing.map(({ name }) => name);
}
