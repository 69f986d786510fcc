import type Sqlite from "better-sqlite3";
import type pg from "pg";
import { type Applied, planMigrations, type SchemaState } from "./plan.ts";
import type { Migration } from "./read.ts";

// The ledger of applied migrations, by name and hash. drizzle's own ledger knows dates alone, and skips whatever is dated earlier than
// the latest one; where a database has it, it is read once and stays as it is, for programs of that time.

const LEDGER = "gatehouse_migrations";
const CREATE_LEDGER = `CREATE TABLE IF NOT EXISTS ${LEDGER} (name text PRIMARY KEY NOT NULL, hash text NOT NULL, min_program text, applied_at bigint NOT NULL)`;
const READ_LEDGER = `SELECT name, hash, min_program AS "minProgram" FROM ${LEDGER}`;
const READ_DRIZZLE = 'SELECT hash, created_at AS "generatedAt" FROM';

type DrizzleRow = { hash: string; generatedAt: number | string };

/** drizzle's ledger in terms of ours. What this program does not know counts as a migration that it has to know. */
function fromDrizzle(rows: readonly DrizzleRow[], known: readonly Migration[]): Applied[] {
  return rows.map(({ hash, generatedAt }) => {
    const migration = known.find((one) => one.generatedAt === Number(generatedAt));
    if (!migration) return { name: `of ${new Date(Number(generatedAt)).toISOString()}`, hash, minProgram: "unknown" };
    return { name: migration.name, hash: hash === migration.drizzleHash ? migration.hash : hash, minProgram: migration.minProgram };
  });
}

/** How the database compares with `known`. Throws SchemaError. Changes nothing. */
export function sqliteSchema(connection: Sqlite.Database, known: readonly Migration[]): SchemaState {
  return planMigrations(known, appliedOnSqlite(connection, known)).state;
}

function appliedOnSqlite(connection: Sqlite.Database, known: readonly Migration[]): Applied[] {
  const hasTable = connection.prepare<[string]>("SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = ?").pluck();
  if (hasTable.get(LEDGER)) return connection.prepare<[], Applied>(READ_LEDGER).all();
  if (!hasTable.get("__drizzle_migrations")) return [];
  return fromDrizzle(connection.prepare<[], DrizzleRow>(`${READ_DRIZZLE} __drizzle_migrations`).all(), known);
}

/** The names of what was applied, in order; empty where there is no ledger of ours. */
export function migrationNames(connection: Sqlite.Database): string[] {
  const ledger = connection.prepare("SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = ?").get(LEDGER);
  return ledger ? connection.prepare<[], string>(`SELECT name FROM ${LEDGER} ORDER BY name`).pluck().all() : [];
}

/** At start, blocking does no harm; a large table takes its time. */
const WAIT_FOR_OTHERS_MS = 60_000;

/**
 * Applies what is missing, all or nothing, and returns the names. Of several processes that start at once one works and the others
 * wait, then find nothing to do. Throws SchemaError.
 */
export function migrateSqlite(connection: Sqlite.Database, known: readonly Migration[]): string[] {
  const busyTimeout = connection.pragma("busy_timeout", { simple: true });
  connection.pragma(`busy_timeout = ${WAIT_FOR_OTHERS_MS}`);
  connection.pragma("foreign_keys = OFF"); // rebuilding a table must not cascade; has no effect inside a transaction
  try {
    connection.exec("BEGIN IMMEDIATE");
    const applied = appliedOnSqlite(connection, known);
    const { missing } = planMigrations(known, applied);
    connection.exec(CREATE_LEDGER);
    const note = connection.prepare(
      `INSERT INTO ${LEDGER} (name, hash, min_program, applied_at) VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING`,
    );
    for (const one of applied) note.run(one.name, one.hash, one.minProgram, Date.now());
    for (const one of missing) {
      for (const statement of one.statements) connection.exec(statement);
      note.run(one.name, one.hash, one.minProgram, Date.now());
    }
    connection.exec("COMMIT");
    return missing.map(({ name }) => name);
  } catch (cause) {
    if (connection.inTransaction) connection.exec("ROLLBACK");
    throw cause;
  } finally {
    connection.pragma("foreign_keys = ON");
    connection.pragma(`busy_timeout = ${busyTimeout}`);
  }
}

/** As {@link sqliteSchema}. */
export async function postgresSchema(client: Pick<pg.ClientBase, "query">, known: readonly Migration[]): Promise<SchemaState> {
  return planMigrations(known, await appliedOnPostgres(client, known)).state;
}

async function appliedOnPostgres(client: Pick<pg.ClientBase, "query">, known: readonly Migration[]): Promise<Applied[]> {
  const { rows } = await client.query<{ ours: boolean; drizzle: boolean }>(
    "SELECT to_regclass($1) IS NOT NULL AS ours, to_regclass('drizzle.__drizzle_migrations') IS NOT NULL AS drizzle",
    [LEDGER],
  );
  if (rows[0]?.ours) return (await client.query<Applied>(READ_LEDGER)).rows;
  if (!rows[0]?.drizzle) return [];
  return fromDrizzle((await client.query<DrizzleRow>(`${READ_DRIZZLE} drizzle.__drizzle_migrations`)).rows, known);
}

const MIGRATION_LOCK = 7_240_331; // any number, the same in every process

/** As {@link migrateSqlite}; a lock that ends with the transaction makes the others wait. */
export async function migratePostgres(client: Pick<pg.ClientBase, "query">, known: readonly Migration[]): Promise<string[]> {
  await client.query("BEGIN");
  try {
    await client.query("SELECT pg_advisory_xact_lock($1)", [MIGRATION_LOCK]);
    const applied = await appliedOnPostgres(client, known);
    const { missing } = planMigrations(known, applied);
    await client.query(CREATE_LEDGER);
    const note = `INSERT INTO ${LEDGER} (name, hash, min_program, applied_at) VALUES ($1, $2, $3, $4) ON CONFLICT DO NOTHING`;
    for (const one of applied) await client.query(note, [one.name, one.hash, one.minProgram, Date.now()]);
    for (const one of missing) {
      for (const statement of one.statements) await client.query(statement);
      await client.query(note, [one.name, one.hash, one.minProgram, Date.now()]);
    }
    await client.query("COMMIT");
    return missing.map(({ name }) => name);
  } catch (cause) {
    await client.query("ROLLBACK").catch(() => {}); // the connection may be gone; the first error is the one to tell
    throw cause;
  }
}
