import { statfsSync, statSync } from "node:fs";
import { dirname } from "node:path";
import type Sqlite from "better-sqlite3";
import { createLedger, createProgress, endProgress, noteIn, noteProgress, readProgress } from "./ledger.ts";
import { planMigrations, SchemaError } from "./plan.ts";
import type { Migration, Series } from "./read.ts";
import { findOnSqlite } from "./schema-state.ts";
import { isPlain, type Step, stepsOf } from "./steps.ts";

/** At start, blocking does no harm, and migrating a large table takes long. */
const WAIT_FOR_OTHERS_MS = 60_000;
/** A table that is rebuilt is there twice, and once more in the log. */
const SPACE_FOR_REBUILD = 2.2;

type Missing = { series: Series; migration: Migration };

/**
 * Applies the missing migrations and returns their names. Those that need no steps of their own are all or nothing; the
 * others continue where they were interrupted. Of several processes that start at once, one migrates; the others wait
 * and then find nothing to do. Throws SchemaError.
 */
export function migrateSqlite(
  connection: Sqlite.Database,
  all: readonly Series[],
  { freeBytes = freeBytesBeside }: { freeBytes?: (file: string) => number } = {},
): string[] {
  const busyTimeout = connection.pragma("busy_timeout", { simple: true });
  connection.pragma(`busy_timeout = ${WAIT_FOR_OTHERS_MS}`);
  connection.pragma("foreign_keys = OFF"); // rebuilding a table must not cascade; has no effect inside a transaction
  try {
    const done: string[] = [];
    for (;;) {
      const applied = inTransaction(connection, () => applyNext(connection, all, freeBytes));
      if (applied === undefined) return done;
      done.push(...applied);
    }
  } finally {
    connection.pragma("foreign_keys = ON");
    connection.pragma(`busy_timeout = ${busyTimeout}`);
  }
}

function inTransaction<T>(connection: Sqlite.Database, act: () => T): T {
  connection.exec("BEGIN IMMEDIATE");
  try {
    const result = act();
    connection.exec("COMMIT");
    return result;
  } catch (cause) {
    if (connection.inTransaction) connection.exec("ROLLBACK");
    throw cause;
  }
}

/** The names of what is applied now; undefined if nothing was missing. */
function applyNext(
  connection: Sqlite.Database,
  all: readonly Series[],
  freeBytes: (file: string) => number,
): string[] | undefined {
  const missing = all.flatMap((series) =>
    planMigrations(series.migrations, findOnSqlite(connection, series)).missing.map((migration) => ({
      series,
      migration,
    })),
  );
  for (const { ledger } of all) connection.exec(createLedger(ledger));
  const [next] = missing;
  if (!next) return undefined;
  assertSpace(connection, missing, freeBytes);
  const stepped = missing.findIndex(({ migration }) => !isPlain(migration));
  if (stepped === 0) return applyStep(connection, next) ? [next.migration.name] : [];
  const plain = missing.slice(0, stepped === -1 ? undefined : stepped);
  for (const one of plain) {
    for (const statement of one.migration.statements) connection.exec(statement);
    note(connection, one);
  }
  return plain.map(({ migration }) => migration.name);
}

/** One step, or one batch of it. Returns whether the migration is done. */
function applyStep(connection: Sqlite.Database, missing: Missing): boolean {
  const { ledger } = missing.series;
  const { name } = missing.migration;
  const steps = stepsOf(missing.migration);
  connection.exec(createProgress(ledger));
  const done = connection.prepare<[string], number>(readProgress(ledger, "?")).pluck().get(name) ?? 0;
  const step = steps[done];
  if (step && !apply(connection, step)) return false;
  if (done + 1 < steps.length) {
    connection.prepare(noteProgress(ledger, "?, ?")).run(name, done + 1);
    return false;
  }
  note(connection, missing);
  connection.prepare(endProgress(ledger, "?")).run(name);
  return true;
}

/** Whether the step is done. */
function apply(connection: Sqlite.Database, step: Step): boolean {
  if (step.kind === "batches") return connection.prepare(step.statement).run().changes === 0;
  if (step.kind === "index") throw new Error("SQLite builds no index concurrently");
  for (const statement of step.statements) connection.exec(statement);
  return true;
}

function note(connection: Sqlite.Database, { series, migration }: Missing): void {
  const { name, hash, minProgram } = migration;
  connection.prepare(noteIn(series.ledger, "?, ?, ?, ?")).run(name, hash, minProgram, Date.now());
}

/** A rebuild that fills the disk would be undone, but every write beside it would fail too. OP-63 */
function assertSpace(
  connection: Sqlite.Database,
  missing: readonly Missing[],
  freeBytes: (file: string) => number,
): void {
  const rebuild = missing.find(({ migration }) => !migration.additive && migration.phase !== "backfill");
  if (!rebuild || connection.memory) return;
  const needed = statSync(connection.name).size * SPACE_FOR_REBUILD;
  const free = freeBytes(connection.name);
  if (free < needed) throw new SchemaError(NO_SPACE(rebuild.migration.name, needed, free), 75);
}

function freeBytesBeside(file: string): number {
  const { bavail, bsize } = statfsSync(dirname(file));
  return bavail * bsize;
}

const mebibytes = (bytes: number) => Math.ceil(bytes / 1024 / 1024);
const NO_SPACE = (name: string, needed: number, free: number) =>
  `The migration ${name} rebuilds tables and needs ${mebibytes(needed)} MiB of free disk, ${SPACE_FOR_REBUILD} times the database; there are ${mebibytes(free)} MiB. Nothing was changed. Make room and start again.`;
