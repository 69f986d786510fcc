import type { MoveEnd } from "./end.ts";
import { createDigest, type MovedRow, type MovedTable, type TableDigest, withoutNul } from "./rows.ts";

/** Rows in one statement. OP-55. */
const MOVE_BATCH = 5_000;

export type TableDigests = Record<string, TableDigest>;

/** Called after each batch: how many rows of the table are done. */
export type MoveReport = (table: string, rows: number, step: "copied" | "compared") => void;

/**
 * Copies every row of one database to another, which is empty, and reads the copy again. Returns the digests; throws
 * unless those of both are the same. Commits nothing. OP-55.
 */
export async function copyRows(from: MoveEnd, to: MoveEnd, report: MoveReport): Promise<TableDigests> {
  const digests: TableDigests = {};
  await to.withoutTriggers();
  for (const table of from.tables) {
    const own = createDigest(table);
    const target = counterpart(table, to);
    let done = 0;
    for await (const rows of batches(from, table)) {
      own.add(rows);
      await to.insert(target, rows);
      done += rows.length;
      report(table.name, done, "copied");
    }
    digests[table.name] = own.value();
  }
  const differing = differences(digests, await digestRows(to, report));
  if (differing.length > 0) throw new Error(`The copy differs from the database in: ${differing.join(", ")}.`);
  return digests;
}

/** The digests of all tables. */
export async function digestRows(end: MoveEnd, report: MoveReport): Promise<TableDigests> {
  const digests: TableDigests = {};
  for (const table of end.tables) {
    const digest = createDigest(table);
    for await (const rows of batches(end, table)) {
      digest.add(rows);
      report(table.name, digest.value().rows, "compared");
    }
    digests[table.name] = digest.value();
  }
  return digests;
}

/** The tables whose digests are not the same. */
export function differences(one: TableDigests, other: TableDigests): string[] {
  const names = new Set([...Object.keys(one), ...Object.keys(other)]);
  return [...names].filter(
    (name) => one[name]?.rows !== other[name]?.rows || one[name]?.digest !== other[name]?.digest,
  );
}

async function* batches(end: MoveEnd, table: MovedTable): AsyncGenerator<MovedRow[]> {
  for (let after: MovedRow | undefined; ; ) {
    const rows = await end.read(table, after, MOVE_BATCH);
    after = rows.at(-1);
    if (!after) return;
    yield rows.map(withoutNul);
  }
}

function counterpart({ name }: MovedTable, end: MoveEnd): MovedTable {
  const found = end.tables.find((table) => table.name === name);
  if (!found) throw new Error(`there is no table ${name} on the other side`);
  return found;
}
