import { INITIAL, type Migration } from "./read.ts";

/** This program cannot use the database's schema. The message tells an operator what to do. */
export class SchemaError extends Error {
  override readonly name = "SchemaError";
  /** The process's exit code: 78 for wrong configuration, 75 for try again (sysexits.h). */
  readonly exitCode: 75 | 78;

  constructor(message: string, exitCode: 75 | 78 = 78) {
    super(message);
    this.exitCode = exitCode;
  }
}

/** A migration in the ledger of a database. */
export type Applied = { name: string; hash: string; minProgram: string | null };

/** The schema of a database compared with what this program knows. */
export type SchemaState = {
  /** No schema · exactly this program's · lacks some of its migrations · has later ones that it can run on. */
  kind: "empty" | "current" | "older" | "newer";
  /** The migrations that `migrate` would apply. */
  missing: readonly string[];
};

/**
 * Returns the migrations of `known` that a database with `applied` lacks, in order. Throws SchemaError if a migration
 * was changed after it was applied, if the database has one that this program must know and does not, and if a missing
 * one can no longer be applied. OP-61, OP-62, OP-65.
 */
export function planMigrations(
  known: readonly Migration[],
  applied: readonly Applied[],
): { state: SchemaState; missing: Migration[] } {
  const byName = new Map(applied.map((one) => [one.name, one]));
  const names = new Set(known.map(({ name }) => name));
  for (const { name, hash } of known) {
    const before = byName.get(name);
    if (before && before.hash !== hash) throw new SchemaError(CHANGED(name));
  }

  const unknown = applied.filter(({ name }) => !names.has(name));
  const barrier = unknown.find(({ minProgram }) => minProgram !== null && !names.has(minProgram));
  if (barrier) throw new SchemaError(NEWER(barrier.name));

  const missing = known.filter(({ name }) => !byName.has(name));
  const last = unknown.length > 0 ? known.length : known.findLastIndex(({ name }) => byName.has(name));
  const late = missing.find((one) => !one.additive && known.indexOf(one) < last);
  if (late) throw new SchemaError(LATE(late.name));

  const kind = applied.length === 0 ? "empty" : missing.length > 0 ? "older" : unknown.length > 0 ? "newer" : "current";
  return { state: { kind, missing: missing.map(({ name }) => name) }, missing };
}

/**
 * The state of a database with several series, of which Gatehouse's is the first: it alone decides whether the database
 * is empty.
 */
export function stateOfAll(states: readonly SchemaState[]): SchemaState {
  const missing = states.flatMap((state) => state.missing);
  if (states[0]?.kind === "empty") return { kind: "empty", missing };
  if (missing.length > 0) return { kind: "older", missing };
  return { kind: states.some(({ kind }) => kind === "newer") ? "newer" : "current", missing };
}

export const NO_UPGRADE =
  "The database was made by another development version of Gatehouse, and before the first release there is no upgrade. Start that version, or start this one with an empty database.";
const CHANGED = (name: string) =>
  name === INITIAL
    ? NO_UPGRADE
    : `The migration ${name} was changed after it was applied to this database. Put the file back as it was, and make the change in a new migration.`;
const NEWER = (name: string) =>
  `The database is newer than this program: it has the migration ${name}, and programs that do not know it must not run on it. Start the newer release, or restore a backup from before the upgrade.`;
const LATE = (name: string) =>
  `The migration ${name} is missing in this database although later ones were applied, and it changes what is there, so it cannot be applied afterwards. Generate it again, so that it comes last.`;
