import { and, type Column, desc, type SQL, sql } from "drizzle-orm";
import type { PgColumn, PgTable } from "drizzle-orm/pg-core";
import type { ReadHandle } from "../query/handle.ts";
import type { Position } from "./page.ts";

/** The most rows that one call of a list examines when no index serves its filter. CO-55. */
export const SCAN_ROWS = 50_000;

/** What a list query found. */
export type Found<Row> = {
  /** Newest first; one more than fits the page when there is a next page. */
  rows: Row[];
  /** The row that matches exactly, to be listed before the others and beside the limit. */
  first?: Row;
  /** The search stopped at this row before the page was full; older rows are still to be examined. */
  searchedTo: Position | undefined;
};

/** An index on `equal.column`, `at` and `id`, or on `at` and `id` alone: the order of the list. */
export type ListIndex = {
  table: PgTable;
  at: PgColumn;
  id: PgColumn;
  /** The rows with this value. */
  equal?: { column: PgColumn; value: string } | undefined;
  /** The condition of a partial index: SQLite uses one only where its condition stands in the query. */
  partial?: SQL | undefined;
};

export type Scan = {
  index: ListIndex;
  /** Unix seconds, inclusive. */
  from?: number | undefined;
  to?: number | undefined;
  /** The part of the filter that has to be judged row by row; undefined when the index serves all of it. */
  residual: SQL | undefined;
  /** Where the page before ended. */
  position: Position | undefined;
  limit: number;
  /** The rows to examine at most. */
  most?: number | undefined;
};

/**
 * Reads a page, newest first, and examines at most `most` rows for it: where rows have to be judged one by one, the search ends
 * at the last of that many. `read` runs the list's query with this condition in this order, for `limit` + 1 rows.
 */
export async function scanPage<Row>(
  handle: ReadHandle,
  { index, from = 0, to = Number.MAX_SAFE_INTEGER - 1, residual, position, limit, most = SCAN_ROWS }: Scan,
  read: (condition: SQL | undefined, order: SQL[]) => Promise<Row[]>,
): Promise<Found<Row>> {
  const newest = position && position.at <= to ? position : { at: to + 1, id: "" };
  const below = compare(index, "<", newest);
  const atLeast = (oldest: Position) => and(index.partial, below, compare(index, ">=", oldest));

  const end = residual && (await endOfScan(handle, index, atLeast({ at: from, id: "" }), most));
  const rows = await read(and(atLeast(end ?? { at: from, id: "" }), residual), orderOf(index));
  return { rows, searchedTo: rows.length > limit ? undefined : end };
}

/** The last of the next `most` rows; undefined when there are no more after it. Reads the index alone. */
async function endOfScan({ db }: ReadHandle, index: ListIndex, range: SQL | undefined, most: number): Promise<Position | undefined> {
  const { table, at, id } = index;
  const [last, next] = await db
    .select({ at: sql<number>`${at}`.mapWith(Number), id: sql<string>`${id}` })
    .from(table)
    .where(range)
    .orderBy(...orderOf(index))
    .limit(2)
    .offset(most - 1);
  return next && last;
}

/**
 * Compares all columns of the index at once. This form and this order fit no other index: given `column = value`, a planner might
 * follow the times alone, past any number of rows with other values.
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

/** `column = value` where a value is given, in a form that no index serves. */
export function judged(column: Column, value: string | undefined): SQL | undefined {
  return value === undefined ? undefined : sql`${column} || '' = ${value}`;
}
