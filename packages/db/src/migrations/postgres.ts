import { setTimeout as pause } from "node:timers/promises";
import { changeSchema, codeOf, SCHEMA_LOCK, TRIES, WAIT_MS } from "../postgres/change-schema.ts";
import { createLedger, createProgress, endProgress, noteIn, noteProgress, readProgress } from "./ledger.ts";
import { attachIndex, type IndexStep, indexOfPartitions } from "./partitioned-index.ts";
import { planMigrations } from "./plan.ts";
import type { Migration, Series } from "./read.ts";
import { type Client, findOnPostgres } from "./schema-state.ts";
import { isPlain, stepsOf } from "./steps.ts";

export type MigrateOptions = {
  /** Called before the first change, while no other process migrates. */
  onLock?: () => Promise<void>;
  /** Between two tries for a lock, and two looks at an index that another process builds. */
  pauseMs?: number;
};

type Missing = { series: Series; migration: Migration };
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
    const next = await changeSchema(client, { pauseMs, blocked: BLOCKED }, async () => {
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
  const { rows } = await client.query<{ free: boolean }>("SELECT pg_try_advisory_xact_lock($1) AS free", [SCHEMA_LOCK]);
  return rows[0]?.free === false;
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
    const unbuilt = await nextBuild(client, step);
    if (unbuilt) return unbuilt;
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

/** What there is to do before the index is valid; undefined if it is. */
async function nextBuild(client: Client, step: IndexStep): Promise<Outcome | undefined> {
  const partitions = await indexOfPartitions(client, step);
  if (partitions === undefined) return buildOf(client, step);
  for (const own of partitions) {
    const unbuilt = await buildOf(client, own);
    if (unbuilt) return unbuilt;
    await client.query(attachIndex(step, own));
  }
  return undefined;
}

async function buildOf(client: Client, step: IndexStep): Promise<Outcome | undefined> {
  const state = await stateOfIndex(client, step);
  if (state === "being built") return { kind: "wait" };
  // Under the migration lock, so that nobody deletes what another process has begun to build.
  if (state === "left over") await client.query(`DROP INDEX "${step.index}"`);
  return state === "valid" ? undefined : { kind: "build", step };
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

/** It exists by now, or the two builds would wait for each other. */
const isBuiltByOther = (cause: unknown) => ["42P07", "40P01"].includes(String(codeOf(cause))) || isTakenName(cause);
/** Not a row that violates the index: that one's error names the index. */
const isTakenName = (cause: unknown) =>
  codeOf(cause) === "23505" && cause instanceof Error && cause.message.includes("pg_class_relname_nsp_index");

const BLOCKED = `A migration found a table locked in each of ${TRIES} tries of ${WAIT_MS / 1000} s. What was applied before stays, and nothing is half done. Look for a long transaction (pg_stat_activity), end it, and run the migration again.`;
