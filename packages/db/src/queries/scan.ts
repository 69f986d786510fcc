import { and, type Column, desc, type SQL, sql } from "drizzle-orm";
import type { PgColumn, PgTable } from "drizzle-orm/pg-core";
import type { ReadHandle } from "../query/handle.ts";
import type { Position } from "./page.ts";

/** How many rows one call of a list examines at most if no index serves its filter. CO-55. */
export const SCAN_ROWS = 50_000;

/** The result of a list query. */
export type Found<Row> = {
  /** Newest first; one more than the limit if there is a next page. */
  rows: Row[];
  /** The row that matches exactly; listed first, and not counted in the limit. */
  first?: Row;
  /** The search stopped at this row before the page was full; older rows were not examined. */
  searchedTo: Position | undefined;
};

/** An index on `equal.column`, `at` and `id`, or on `at` and `id` alone: the order of the list. */
export type ListIndex = {
  table: PgTable;
  at: PgColumn;
  id: PgColumn;
  /** The rows with this value. */
  equal?: { column: PgColumn; value: string } | undefined;
  /** The condition of a partial index: SQLite uses the index only if the query contains it. */
  partial?: SQL | undefined;
};

export type Scan = {
  index: ListIndex;
  /** Unix seconds, inclusive. */
  from?: number | undefined;
  to?: number | undefined;
  /** The part of the filter that is checked row by row; undefined if the index serves all of it. */
  residual: SQL | undefined;
  /** Where the previous page ended. */
  position: Position | undefined;
  limit: number;
  /** How many rows to examine at most. */
  maxRows?: number | undefined;
};

/**
 * Reads a page, newest first. If rows must be checked one by one, examines at most `maxRows`. `read` runs the list's query with this
 * condition and order, for `limit` + 1 rows.
 */
export async function scanPage<Row>(
  handle: ReadHandle,
  { index, from = 0, to = Number.MAX_SAFE_INTEGER - 1, residual, position, limit, maxRows = SCAN_ROWS }: Scan,
  read: (condition: SQL | undefined, order: SQL[]) => Promise<Row[]>,
): Promise<Found<Row>> {
  const newest = position && position.at <= to ? position : { at: to + 1, id: "" };
  const below = compare(index, "<", newest);
  const atLeast = (oldest: Position) => and(index.partial, below, compare(index, ">=", oldest));

  const end = residual && (await endOfScan(handle, index, atLeast({ at: from, id: "" }), maxRows));
  const rows = await read(and(atLeast(end ?? { at: from, id: "" }), residual), orderOf(index));
  return { rows, searchedTo: rows.length > limit ? undefined : end };
}

/** The last of the next `maxRows` rows; undefined if there are no more after it. Reads only the index. */
async function endOfScan({ db }: ReadHandle, index: ListIndex, range: SQL | undefined, maxRows: number): Promise<Position | undefined> {
  const { table, at, id } = index;
  const [last, next] = await db
    .select({ at: sql<number>`${at}`.mapWith(Number), id: sql<string>`${id}` })
    .from(table)
    .where(range)
    .orderBy(...orderOf(index))
    .limit(2)
    .offset(maxRows - 1);
  return next && last;
}

/**
 * Compares all columns of the index at once. No other index fits this form and order: with `column = value`, a planner might follow the times
 * alone, past any number of rows with other values.
 */
function compare({ equal, at, id }: ListIndex, operator: "<" | ">=", position: Position): SQL {
  const sign = sql.raw(operator);
  return equal
    ? sql`(${equal.column}, ${at}, ${id}) ${sign} (${equal.value}, ${position.at}, ${position.id})`
    : sql`(${at}, ${id}) ${sign} (${position.at}, ${position.id})`;
}

function orderOf({ equal, at, id }: ListIndex): SQL[] {
  return [...(equal ? [desc(equal.column)] : []), desc(at), desc(id)];
}

/** `column = value` in a form that no index serves; undefined without a value. */
export function judged(column: Column, value: string | undefined): SQL | undefined {
  return value === undefined ? undefined : sql`${column} || '' = ${value}`;
}
