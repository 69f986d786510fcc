import { setTimeout as pause } from "node:timers/promises";
import { auditWrite } from "@gatehouse/console/audit/entry";
import type { OperationDeps } from "@gatehouse/console/deps";
import { type Database, openDatabase, sqliteFile } from "@gatehouse/db/database";
import { deleteFact, readFact } from "@gatehouse/db/facts";
import { GATEHOUSE, type MigrationSource } from "@gatehouse/db/migrations/read";
import { copyRows, differences, digestRows, type MoveReport, type TableDigests } from "@gatehouse/db/move/copy";
import type { MoveEnd } from "@gatehouse/db/move/end";
import { openPostgresEnd } from "@gatehouse/db/move/postgres-end";
import type { FurtherSchemas } from "@gatehouse/db/move/rows";
import { openSqliteEnd } from "@gatehouse/db/move/sqlite-end";
import {
  assertNotMoved,
  MAINTENANCE,
  MOVED,
  type Move,
  maintenanceSince,
  setMaintenance,
} from "@gatehouse/installation";
import { describeUrl } from "../database-place.ts";
import { operator } from "../operator.ts";

/** The move cannot begin, or cannot be taken back. */
export class MoveError extends Error {
  override readonly name = "MoveError";
}

export type Moved = {
  to: string;
  tables: number;
  rows: number;
  seconds: number;
  dry_run: boolean;
};

/** What the old database remembers of the move: the digests say later whether the new one was written to. */
type Marker = Move & { digests: TableDigests };

type Source = {
  database: Database;
  url: string;
  deps: Pick<OperationDeps, "db" | "now" | "random">;
  /** What the product adds to the database. */
  product: { migrations: readonly MigrationSource[]; schemas: FurtherSchemas };
};

type Options = {
  dryRun: boolean;
  settleMs: number;
  report: MoveReport;
  /** Tables that are no part of the installation, and stay behind. */
  leave: readonly string[];
};

/** What a server writes by itself, also while nobody uses it. */
const OWN_WRITES = new Set([
  "audit_chain",
  "installation",
  "jobs",
  "leases",
  "rate_limits",
  "stat_day",
  "stat_hour",
  "totals",
  "webhook_reconciliations",
]);

/**
 * Moves the installation to an empty database: maintenance, a copy of every row in one transaction on each side,
 * compared, and a mark in the old database, which then starts no server. Whatever fails, the old one stays in use. A table
 * that no schema has stops it, unless it is to stay behind.
 * `settleMs`: how long servers get to notice the maintenance, so that they refuse writes instead of waiting for the
 * lock. OP-55.
 */
export async function move(source: Source, to: string, { dryRun, settleMs, report, leave }: Options): Promise<Moved> {
  const began = performance.now();
  const { database, deps } = source;
  await assertNotMoved(database);
  if ((await database.schema()).kind !== "current")
    throw new MoveError("The database's schema is not that of this program. Run `gatehouse migrate` first.");
  if (sameDatabase(source.url, to)) throw new MoveError("--to names the database that is in use.");
  await assertKnown(source, leave);
  await prepareTarget(to, source.product, dryRun);
  if (dryRun) return finish(await countAll(source), to, began, true);

  const wasOn = (await maintenanceSince(deps.db)) !== undefined;
  const detail = { to: placeOf(to) };
  await deps.db.transaction([
    auditWrite(operator(), { action: "database.move", object: "database", objectName: "Database", detail }, deps),
  ]);
  await setMaintenance(true, deps);
  if (!wasOn) await pause(settleMs);
  try {
    return finish(await copyAll(source, to, report), to, began, false);
  } finally {
    // The old database of a finished move refuses writes by its mark.
    if (!wasOn) await setMaintenance(false, deps);
  }
}

/** A table that a team made by hand would be lost without a word. */
async function assertKnown({ url, product }: Source, leave: readonly string[]): Promise<void> {
  const end = await openEnd(url, product);
  try {
    const ledgers = [GATEHOUSE, ...product.migrations].map(({ ledger }) => ledger);
    const known = new Set([...end.tables.map(({ name }) => name), ...ledgers, ...leave]);
    const unknown = (await end.tableNames()).filter((name) => !known.has(name));
    if (unknown.length === 0) return;
    throw new MoveError(
      `No schema has the table${unknown.length === 1 ? "" : "s"} ${unknown.join(", ")}, so what is in there cannot be moved. ` +
        `Add it to packages/product/src/schema, or let it stay behind: --leave ${unknown.join(" ")}`,
    );
  } finally {
    await end.close();
  }
}

async function copyAll({ url, deps, product }: Source, to: string, report: MoveReport): Promise<TableDigests> {
  const from = await openEnd(url, product);
  try {
    const target = await openEnd(to, product);
    try {
      const digests = await copyRows(from, target, report);
      await target.setFact(MAINTENANCE, null);
      const marker: Marker = { to: placeOf(to), at: deps.now(), digests };
      await from.setFact(MOVED, JSON.stringify(marker));
      // The copy is complete before the old database gives up: a crash in between leaves the old one in use.
      await target.commit();
      await from.commit();
      return digests;
    } finally {
      await target.close();
    }
  } finally {
    await from.close();
  }
}

/** Takes a move back, if nobody has used the new database. OP-55. */
export async function undoMove(
  { database, deps, product }: Source,
  to: string,
  report: MoveReport,
): Promise<{ undone: true; from: string }> {
  const stored = await readFact(database.db, MOVED);
  if (stored === undefined) throw new MoveError("This database was not moved, so there is nothing to take back.");
  const marker: Marker = JSON.parse(stored); // written above
  if (placeOf(to) !== marker.to)
    throw new MoveError(`The installation was moved to ${marker.to}: name that database with --to.`);
  const target = await openEnd(to, product);
  try {
    const changed = writtenSince(marker.digests, await digestRows(target, report));
    if (changed.length > 0)
      throw new MoveError(
        `The new database was written to, in ${changed.join(", ")}. To go back without losing that, move it to an empty database.`,
      );
    const back: Move = { to: "the database that it came from", at: deps.now() };
    await target.setFact(MOVED, JSON.stringify(back));
    await target.commit();
  } finally {
    await target.close();
  }
  await deleteFact(deps.db, MOVED);
  return { undone: true, from: marker.to };
}

/** The tables that somebody changed. Of the audit log the rows count: a server seals them. */
function writtenSince(before: TableDigests, now: TableDigests): string[] {
  return differences(before, now).filter((name) =>
    name === "audit" ? before[name]?.rows !== now[name]?.rows : !OWN_WRITES.has(name),
  );
}

/** Migrates an empty database; throws unless it has no rows. A dry run only looks. */
async function prepareTarget(to: string, product: Source["product"], dryRun: boolean): Promise<void> {
  const target = await openDatabase(to, { further: product.migrations });
  try {
    const { kind } = await target.schema();
    if (kind === "empty") {
      if (!dryRun) await target.migrate();
      return;
    }
    if (kind !== "current") throw new MoveError("The database of --to has another schema. Name an empty one.");
  } finally {
    await target.close();
  }
  const end = await openEnd(to, product);
  try {
    for (const table of end.tables)
      if ((await end.count(table)) > 0)
        throw new MoveError(`The database of --to is not empty: ${table.name} has rows. Name an empty one.`);
  } finally {
    await end.close();
  }
}

async function countAll({ url, product }: Source): Promise<TableDigests> {
  const end = await openEnd(url, product);
  try {
    const counts = [];
    for (const table of end.tables) counts.push([table.name, { rows: await end.count(table), digest: "" }] as const);
    return Object.fromEntries(counts);
  } finally {
    await end.close();
  }
}

const openEnd = async (url: string, { schemas }: Source["product"]): Promise<MoveEnd> => {
  const file = sqliteFile(url);
  return file === undefined ? openPostgresEnd(url, schemas) : openSqliteEnd(file, schemas);
};

const sameDatabase = (one: string, other: string) => (sqliteFile(one) ?? one) === (sqliteFile(other) ?? other);

/** As the marker and people have it: an absolute path, or a server and its database without the password. */
function placeOf(url: string): string {
  const file = sqliteFile(url);
  return file === undefined ? describeUrl(url) : `file:${file}`;
}

function finish(digests: TableDigests, to: string, began: number, dryRun: boolean): Moved {
  const counts = Object.values(digests).map(({ rows }) => rows);
  return {
    to: placeOf(to),
    tables: counts.length,
    rows: counts.reduce((sum, rows) => sum + rows, 0),
    seconds: Math.round((performance.now() - began) / 100) / 10,
    dry_run: dryRun,
  };
}
