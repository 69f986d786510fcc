import { setTimeout as pause } from "node:timers/promises";
import { createLedger, createProgress, endProgress, noteIn, noteProgress, readProgress } from "./ledger.ts";
import { planMigrations, SchemaError } from "./plan.ts";
import type { Migration, Series } from "./read.ts";
import { type Client, findOnPostgres } from "./schema-state.ts";
import { isPlain, type Step, stepsOf } from "./steps.ts";

const MIGRATION_LOCK = 7_240_331; // any number, the same in every process
/** Requests queue behind a lock that a migration waits for, so it gives up soon and tries again. OP-63 */
const LOCK_TIMEOUT = "2s";
const TRIES = 10;
/** A migrator whose machine is gone holds its locks until then. */
const IDLE_TIMEOUT = "30s";
const LOCK_NOT_AVAILABLE = "55P03";

export type MigrateOptions = {
  /** Called before the first change, while no other process migrates. */
  onLock?: () => Promise<void>;
  /** Between two tries for a lock, and two looks at an index that another process builds. */
  pauseMs?: number;
};

type Missing = { series: Series; migration: Migration };
type IndexStep = Extract<Step, { kind: "index" }>;
type Outcome = { kind: "applied"; names: string[] } | { kind: "nothing" | "wait" } | { kind: "build"; step: IndexStep };

/**
 * As `migrateSqlite`. Other processes wait for a lock that ends with each transaction, as do the settings: through a
 * pooler, anything that outlives it would be another client's. Between two steps nothing is locked.
 */
export async function migratePostgres(
  client: Client,
  all: readonly Series[],
  { onLock = async () => {}, pauseMs = 1_000 }: MigrateOptions = {},
): Promise<string[]> {
  const done: string[] = [];
  for (let looks = 0; ; looks++) {
    const next = await retryLocks(client, pauseMs, async () => {
      if (looks === 0) await onLock();
      return applyNext(client, all);
    });
    if (next.kind === "nothing") return done;
    if (next.kind === "applied") done.push(...next.names);
    if (next.kind === "build") await buildIndex(client, next.step);
    if (next.kind === "wait") await pause(pauseMs);
  }
}

/** Whether the client's database is the one in which another client migrates now. */
export async function isMigrating(client: Client): Promise<boolean> {
  const { rows } = await client.query<{ free: boolean }>("SELECT pg_try_advisory_xact_lock($1) AS free", [
    MIGRATION_LOCK,
  ]);
  return rows[0]?.free === false;
}

/** In a transaction, up to ten times while somebody holds a lock that it needs. */
async function retryLocks<T>(client: Client, pauseMs: number, act: () => Promise<T>): Promise<T> {
  for (let tried = 1; ; tried++) {
    try {
      return await inTransaction(client, act);
    } catch (cause) {
      if (!isLockTimeout(cause)) throw cause;
      if (tried === TRIES) throw new SchemaError(BLOCKED, 75);
      await pause(pauseMs * (0.5 + Math.random()));
    }
  }
}

async function inTransaction<T>(client: Client, act: () => Promise<T>): Promise<T> {
  await client.query("BEGIN");
  try {
    await client.query(
      `SET LOCAL statement_timeout = 0; SET LOCAL lock_timeout = 0; SET LOCAL idle_in_transaction_session_timeout = '${IDLE_TIMEOUT}'`,
    );
    await client.query("SELECT pg_advisory_xact_lock($1)", [MIGRATION_LOCK]);
    await client.query(`SET LOCAL lock_timeout = '${LOCK_TIMEOUT}'`);
    const result = await act();
    await client.query("COMMIT");
    return result;
  } catch (cause) {
    await client.query("ROLLBACK").catch(() => {}); // the connection may be gone; the first error is the one to report
    throw cause;
  }
}

async function applyNext(client: Client, all: readonly Series[]): Promise<Outcome> {
  const missing: Missing[] = [];
  for (const series of all) {
    const plan = planMigrations(series.migrations, await findOnPostgres(client, series));
    missing.push(...plan.missing.map((migration) => ({ series, migration })));
  }
  for (const { ledger } of all) await client.query(createLedger(ledger));
  const [next] = missing;
  if (!next) return { kind: "nothing" };
  const stepped = missing.findIndex(({ migration }) => !isPlain(migration));
  if (stepped === 0) return applyStep(client, next);
  const plain = missing.slice(0, stepped === -1 ? undefined : stepped);
  for (const one of plain) {
    for (const statement of one.migration.statements) await client.query(statement);
    await note(client, one);
  }
  return { kind: "applied", names: plain.map(({ migration }) => migration.name) };
}

/** One step, or one batch of it. */
async function applyStep(client: Client, missing: Missing): Promise<Outcome> {
  const { ledger } = missing.series;
  const { name } = missing.migration;
  const steps = stepsOf(missing.migration);
  await client.query(createProgress(ledger));
  const { rows } = await client.query<{ steps: number }>(readProgress(ledger, "$1"), [name]);
  const done = rows[0]?.steps ?? 0;
  const step = steps[done];
  if (step?.kind === "index") {
    const state = await stateOfIndex(client, step);
    if (state === "being built") return { kind: "wait" };
    // Under the migration lock, so that nobody deletes what another process has begun to build.
    if (state === "left over") await client.query(`DROP INDEX "${step.index}"`);
    if (state !== "valid") return { kind: "build", step };
  }
  if (step?.kind === "batches" && ((await client.query(step.statement)).rowCount ?? 0) > 0)
    return { kind: "applied", names: [] };
  if (step?.kind === "statements") for (const statement of step.statements) await client.query(statement);
  if (done + 1 < steps.length) {
    await client.query(noteProgress(ledger, "$1, $2"), [name, done + 1]);
    return { kind: "applied", names: [] };
  }
  await note(client, missing);
  await client.query(endProgress(ledger, "$1"), [name]);
  return { kind: "applied", names: [name] };
}

async function note(client: Client, { series, migration }: Missing): Promise<void> {
  const { name, hash, minProgram } = migration;
  await client.query(noteIn(series.ledger, "$1, $2, $3, $4"), [name, hash, minProgram, Date.now()]);
}

type IndexState = "valid" | "being built" | "left over" | "absent";

/** An invalid index that nobody builds is left over from a build that failed or was interrupted. */
async function stateOfIndex(client: Client, { index, table }: IndexStep): Promise<IndexState> {
  const { rows } = await client.query<{ valid: boolean | null; building: boolean }>(
    `SELECT (SELECT indisvalid FROM pg_index WHERE indexrelid = to_regclass($1)) AS valid,
      EXISTS (SELECT 1 FROM pg_stat_progress_create_index WHERE relid = to_regclass($2)) AS building`,
    [`"${index}"`, `"${table}"`],
  );
  const { valid = null, building = false } = rows[0] ?? {};
  if (valid === true) return "valid";
  if (building) return "being built";
  return valid === false ? "left over" : "absent";
}

/**
 * Waits as long as it takes: what it holds meanwhile delays neither reads nor writes. Several processes can get here at
 * once; the database lets one of them build.
 */
async function buildIndex(client: Client, { statement }: IndexStep): Promise<void> {
  await client.query("SET statement_timeout = 0; SET lock_timeout = 0");
  try {
    await client.query(statement);
  } catch (cause) {
    if (!isBuiltByOther(cause)) throw cause;
  } finally {
    await client.query("RESET statement_timeout; RESET lock_timeout").catch(() => {});
  }
}

const codeOf = (cause: unknown) => (cause instanceof Error && "code" in cause ? cause.code : undefined);
const isLockTimeout = (cause: unknown) => codeOf(cause) === LOCK_NOT_AVAILABLE;
/** It exists by now, or the two builds would wait for each other. */
const isBuiltByOther = (cause: unknown) => ["42P07", "40P01"].includes(String(codeOf(cause))) || isTakenName(cause);
/** Not a row that violates the index: that one's error names the index. */
const isTakenName = (cause: unknown) =>
  codeOf(cause) === "23505" && cause instanceof Error && cause.message.includes("pg_class_relname_nsp_index");

const BLOCKED = `A migration found a table locked in each of ${TRIES} tries of ${LOCK_TIMEOUT}. What was applied before stays, and nothing is half done. Look for a long transaction (pg_stat_activity), end it, and run the migration again.`;
