import { createHash } from "node:crypto";
import type Sqlite from "better-sqlite3";
import type pg from "pg";
import { type Applied, planMigrations, type SchemaState, stateOfAll } from "./plan.ts";
import { GATEHOUSE, type Migration, type Series } from "./read.ts";

// Each series has a ledger of its applied migrations, by name and hash. drizzle's own ledger has only dates and skips every migration older
// than the latest one. A database that has it keeps it, for programs of that time; it is read once.

const createLedger = (ledger: string) =>
  `CREATE TABLE IF NOT EXISTS ${ledger} (name text PRIMARY KEY NOT NULL, hash text NOT NULL, min_program text, applied_at bigint NOT NULL)`;
const readLedger = (ledger: string) => `SELECT name, hash, min_program AS "minProgram" FROM ${ledger}`;
const READ_DRIZZLE = 'SELECT hash, created_at AS "generatedAt" FROM';

type DrizzleRow = { hash: string; generatedAt: number | string };

/** Converts drizzle's ledger to ours. An unknown entry counts as a migration that this program must know. */
function fromDrizzle(rows: readonly DrizzleRow[], known: readonly Migration[]): Applied[] {
  return rows.map(({ hash, generatedAt }) => {
    const migration = known.find((one) => one.generatedAt === Number(generatedAt));
    if (!migration) return { name: `of ${new Date(Number(generatedAt)).toISOString()}`, hash, minProgram: "unknown" };
    return { name: migration.name, hash: hash === migration.drizzleHash ? migration.hash : hash, minProgram: migration.minProgram };
  });
}

/** Compares the database with all series, Gatehouse's first. Throws SchemaError. Changes nothing. */
export function sqliteSchema(connection: Sqlite.Database, all: readonly Series[]): SchemaState {
  return stateOfAll(all.map((series) => planMigrations(series.migrations, appliedOnSqlite(connection, series)).state));
}

function appliedOnSqlite(connection: Sqlite.Database, { ledger, migrations }: Series): Applied[] {
  const hasTable = connection.prepare<[string]>("SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = ?").pluck();
  if (hasTable.get(ledger)) return connection.prepare<[], Applied>(readLedger(ledger)).all();
  if (ledger !== GATEHOUSE.ledger || !hasTable.get("__drizzle_migrations")) return [];
  return fromDrizzle(connection.prepare<[], DrizzleRow>(`${READ_DRIZZLE} __drizzle_migrations`).all(), migrations);
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
  connection.function("sha256", { deterministic: true }, (text) => createHash("sha256").update(String(text)).digest()); // as on PostgreSQL
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
  const applied = appliedOnSqlite(connection, series);
  const { missing } = planMigrations(migrations, applied);
  connection.exec(createLedger(ledger));
  const note = connection.prepare(
    `INSERT INTO ${ledger} (name, hash, min_program, applied_at) VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING`,
  );
  for (const one of applied) note.run(one.name, one.hash, one.minProgram, Date.now());
  for (const one of missing) {
    for (const statement of one.statements) connection.exec(statement);
    note.run(one.name, one.hash, one.minProgram, Date.now());
  }
  return missing.map(({ name }) => name);
}

type Client = Pick<pg.ClientBase, "query">;

/** As {@link sqliteSchema}. */
export async function postgresSchema(client: Client, all: readonly Series[]): Promise<SchemaState> {
  const states: SchemaState[] = [];
  for (const series of all) states.push(planMigrations(series.migrations, await appliedOnPostgres(client, series)).state);
  return stateOfAll(states);
}

async function appliedOnPostgres(client: Client, { ledger, migrations }: Series): Promise<Applied[]> {
  const { rows } = await client.query<{ ours: boolean; drizzle: boolean }>(
    "SELECT to_regclass($1) IS NOT NULL AS ours, to_regclass('drizzle.__drizzle_migrations') IS NOT NULL AS drizzle",
    [ledger],
  );
  if (rows[0]?.ours) return (await client.query<Applied>(readLedger(ledger))).rows;
  if (ledger !== GATEHOUSE.ledger || !rows[0]?.drizzle) return [];
  return fromDrizzle((await client.query<DrizzleRow>(`${READ_DRIZZLE} drizzle.__drizzle_migrations`)).rows, migrations);
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
  const applied = await appliedOnPostgres(client, series);
  const { missing } = planMigrations(migrations, applied);
  await client.query(createLedger(ledger));
  const note = `INSERT INTO ${ledger} (name, hash, min_program, applied_at) VALUES ($1, $2, $3, $4) ON CONFLICT DO NOTHING`;
  for (const one of applied) await client.query(note, [one.name, one.hash, one.minProgram, Date.now()]);
  for (const one of missing) {
    for (const statement of one.statements) await client.query(statement);
    await client.query(note, [one.name, one.hash, one.minProgram, Date.now()]);
  }
  return missing.map(({ name }) => name);
}
