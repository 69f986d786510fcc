import type Sqlite from "better-sqlite3";
import type pg from "pg";
import { readLedger } from "./ledger.ts";
import { type Applied, NO_UPGRADE, planMigrations, SchemaError, type SchemaState, stateOfAll } from "./plan.ts";
import { GATEHOUSE, INITIAL, readSeries, type Series } from "./read.ts";

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

/** What is applied of a series. */
export function findOnSqlite(connection: Sqlite.Database, series: Series): readonly Applied[] {
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

/** A connection of PostgreSQL. */
export type Client = Pick<pg.ClientBase, "query">;

/** As {@link sqliteSchema}. */
export async function postgresSchema(client: Client, all: readonly Series[]): Promise<SchemaState> {
  const states: SchemaState[] = [];
  for (const series of all) states.push(planMigrations(series.migrations, await findOnPostgres(client, series)).state);
  return stateOfAll(states);
}

/** As {@link findOnSqlite}. */
export async function findOnPostgres(client: Client, series: Series): Promise<readonly Applied[]> {
  const { rows } = await client.query<{ ours: boolean; drizzle: boolean }>(
    "SELECT to_regclass($1) IS NOT NULL AS ours, to_regclass('drizzle.__drizzle_migrations') IS NOT NULL AS drizzle",
    [series.ledger],
  );
  const recorded = rows[0]?.ours ? (await client.query<Applied>(readLedger(series.ledger))).rows : undefined;
  return appliedIn(series, recorded, rows[0]?.drizzle === true);
}
