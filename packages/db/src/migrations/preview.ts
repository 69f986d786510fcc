import { rmSync, statSync } from "node:fs";
import Sqlite from "better-sqlite3";
import { readTimes } from "./ledger.ts";
import { type Lock, lockOf } from "./locks.ts";
import { planMigrations } from "./plan.ts";
import type { Migration, Phase, Series } from "./read.ts";
import { type Client, findOnPostgres, findOnSqlite } from "./schema-state.ts";
import { migrateSqlite } from "./sqlite.ts";

/** `lock`: only on PostgreSQL. `rows`: of the table now, on PostgreSQL an estimate; undefined without such a table. */
export type PreviewedStatement = {
  sql: string;
  table: string | undefined;
  rows: number | undefined;
  lock?: Omit<Lock, "table">;
};
export type PreviewedMigration = {
  name: string;
  phase: Phase;
  minProgram: string | null;
  statements: PreviewedStatement[];
};

/** What `migrate` would do. `trial`: it was done, on a copy of the SQLite file. OP-64 */
export type Preview = { migrations: PreviewedMigration[]; trial?: { seconds: number; bytes: number } };

/** `at`: milliseconds since 1970. */
export type AppliedMigration = { name: string; at: number };

export async function previewPostgres(client: Client, all: readonly Series[]): Promise<Preview> {
  const missing: Migration[] = [];
  for (const series of all)
    missing.push(...planMigrations(series.migrations, await findOnPostgres(client, series)).missing);
  const estimates = await client.query<{ name: string; rows: string }>(
    "SELECT relname AS name, greatest(reltuples, 0)::bigint AS rows FROM pg_class WHERE relkind IN ('r', 'p') AND relnamespace = current_schema()::regnamespace",
  );
  const rows = new Map(estimates.rows.map((one) => [one.name, Number(one.rows)]));
  const statement = (sql: string): PreviewedStatement => {
    const { table, ...lock } = lockOf(sql);
    return { sql, table, rows: table === undefined ? undefined : rows.get(table), lock };
  };
  return { migrations: missing.map((one) => ({ ...described(one), statements: one.statements.map(statement) })) };
}

/** `copy`: where to put the copy on which it is tried, in a folder that exists; it is deleted. */
export function previewSqlite(connection: Sqlite.Database, all: readonly Series[], copy: string): Preview {
  const missing = all.flatMap((series) => planMigrations(series.migrations, findOnSqlite(connection, series)).missing);
  const tables = new Set(
    connection.prepare<[], string>("SELECT name FROM sqlite_master WHERE type = 'table'").pluck().all(),
  );
  const rowsOf = (table: string | undefined) =>
    table !== undefined && tables.has(table)
      ? connection.prepare<[], number>(`SELECT count(*) FROM "${table}"`).pluck().get()
      : undefined;
  const statement = (sql: string): PreviewedStatement => {
    const { table } = lockOf(sql.replaceAll("`", '"'));
    return { sql, table, rows: rowsOf(table) };
  };
  const migrations = missing.map((one) => ({ ...described(one), statements: one.statements.map(statement) }));
  return missing.length === 0 ? { migrations } : { migrations, trial: tryOnCopy(connection, all, copy) };
}

function described({ name, phase, minProgram }: Migration) {
  return { name, phase, minProgram };
}

function tryOnCopy(
  connection: Sqlite.Database,
  all: readonly Series[],
  copy: string,
): { seconds: number; bytes: number } {
  connection.prepare("VACUUM INTO ?").run(copy);
  try {
    const other = new Sqlite(copy);
    const began = performance.now();
    try {
      migrateSqlite(other, all);
    } finally {
      other.close();
    }
    return { seconds: (performance.now() - began) / 1000, bytes: statSync(copy).size };
  } finally {
    for (const suffix of ["", "-journal", "-wal", "-shm"]) rmSync(copy + suffix, { force: true });
  }
}

/** What was applied when, by name. Nothing of a database without a ledger. */
export function historyOfSqlite(connection: Sqlite.Database, all: readonly Series[]): AppliedMigration[] {
  return all
    .filter((series) => findOnSqlite(connection, series).length > 0)
    .flatMap(({ ledger }) => connection.prepare<[], { name: string; appliedAt: number }>(readTimes(ledger)).all())
    .map(({ name, appliedAt }) => ({ name, at: appliedAt }));
}

/** As {@link historyOfSqlite}. */
export async function historyOfPostgres(client: Client, all: readonly Series[]): Promise<AppliedMigration[]> {
  const history: AppliedMigration[] = [];
  for (const series of all) {
    if ((await findOnPostgres(client, series)).length === 0) continue;
    const { rows } = await client.query<{ name: string; appliedAt: string }>(readTimes(series.ledger));
    history.push(...rows.map(({ name, appliedAt }) => ({ name, at: Number(appliedAt) })));
  }
  return history;
}
