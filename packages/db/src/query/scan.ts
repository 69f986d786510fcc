import { and, type Column, desc, type SQL, sql } from "drizzle-orm";
import type { PgColumn, PgTable } from "drizzle-orm/pg-core";
import type { ReadDb } from "./db.ts";
import type { Position } from "./page.ts";

/** How many rows one call of a list examines at most if no index serves its filter. CO-55. */
export const SCAN_ROWS = 25_000;

/** How many rows are examined first; most pages are full by then. */
const NEAR_ROWS = 2_000;

/** The result of a list query. */
export type FoundRows<Row> = {
  /** Newest first; one more than the limit if there is a next page. */
  rows: Row[];
  /** The row that matches exactly; listed first, and not counted in the limit. */
  first?: Row;
  /** The search stopped at this row before the page was full; older rows were not examined. */
  searchedTo: Position | undefined;
};

/** An index on `equal.column` and the columns of the order, or on the latter alone. */
export type ListIndex = {
  table: PgTable;
  /** The rows with this value. */
  equal?: { column: PgColumn; value: string } | undefined;
  /** The condition of a partial index: SQLite uses the index only if the query contains it. */
  partial?: SQL | undefined;
} & Order;

/** The order of the list: by `at` and `id`, or by time-ordered ids alone, whose column is compared by bytes (OP-34). */
type Order =
  | { at: PgColumn; id: PgColumn }
  | {
      at?: never;
      id: PgColumn;
      /** The lower bound of the ids of that Unix second. */
      idsFrom(seconds: number): string;
      /** Unix seconds. */
      timeOf(id: string): number;
    };

export type Scan = {
  index: ListIndex;
  /** Unix seconds, inclusive. */
  from?: number | undefined;
  to?: number | undefined;
  /** Only rows with a higher id, where ids are the order. */
  after?: string | undefined;
  /** The part of the filter that is checked row by row; undefined if the index serves all of it. */
  residual: SQL | undefined;
  /** Where the previous page ended. */
  position: Position | undefined;
  limit: number;
  /** How many rows to examine at most. */
  maxRows?: number | undefined;
};

/**
 * Reads a page, newest first. If rows must be checked one by one, examines at most `maxRows`. `read` runs the list's
 * query with this condition and order, for `limit` + 1 rows.
 */
export async function scanPage<Row>(
  db: ReadDb,
  { index, from = 0, to = Number.MAX_SAFE_INTEGER - 1, after, residual, position, limit, maxRows = SCAN_ROWS }: Scan,
  read: (condition: SQL | undefined, order: SQL[]) => Promise<Row[]>,
): Promise<FoundRows<Row>> {
  const newest = position && position.at <= to ? position : startOf(index, to + 1);
  const below = compare(index, "<", newest);
  const atLeast = (oldest: Position) => and(index.partial, below, compare(index, ">=", oldest));
  const first = startOf(index, from);
  // An id that continues another one follows it directly.
  const oldest = after !== undefined && `${after}0` > first.id ? { at: from, id: `${after}0` } : first;

  async function within(examined: number): Promise<FoundRows<Row>> {
    const end = residual && (await endOfScan(db, index, atLeast(oldest), examined));
    const rows = await read(and(atLeast(end ?? oldest), residual), orderOf(index));
    return { rows, searchedTo: rows.length > limit ? undefined : end };
  }

  if (!residual || maxRows <= NEAR_ROWS) return within(maxRows);
  // Finding the end of a long search takes longer than most searches.
  const near = await within(NEAR_ROWS);
  return near.searchedTo === undefined ? near : within(maxRows);
}

/**
 * One page of several scans of a list in the order of ids. Rows below the end of an unfinished scan wait for the next
 * page.
 */
export function mergeFound<Row extends { id: string }>(
  found: readonly FoundRows<Row>[],
  limit: number,
): FoundRows<Row> {
  const ends = found.flatMap(({ searchedTo }) => searchedTo ?? []).sort(newestFirst);
  const [end] = ends;
  const rows = found
    .flatMap((part) => part.rows)
    .filter(({ id }) => end === undefined || id >= end.id)
    .sort(newestFirst)
    .slice(0, limit + 1);
  return { rows, searchedTo: rows.length > limit ? undefined : end };
}

const newestFirst = (one: { id: string }, other: { id: string }) => (one.id < other.id ? 1 : -1);

/** The position before every row of that second. */
function startOf(order: Order, seconds: number): Position {
  return { at: seconds, id: order.at ? "" : order.idsFrom(seconds) };
}

/** The last of the next `maxRows` rows; undefined if there are no more after it. Reads only the index. */
async function endOfScan(
  db: ReadDb,
  index: ListIndex,
  range: SQL | undefined,
  maxRows: number,
): Promise<Position | undefined> {
  const { table } = index;
  const columns = { id: sql<string>`${index.id}`, ...(index.at && { at: sql<number>`${index.at}`.mapWith(Number) }) };
  const [last, next] = await db
    .select(columns)
    .from(table)
    .where(range)
    .orderBy(...orderOf(index))
    .limit(2)
    .offset(maxRows - 1);
  return next && last && { id: last.id, at: index.at ? Number(last.at) : index.timeOf(last.id) };
}

/**
 * Compares all columns of the index at once. No other index fits this form and order: with `column = value`, a planner
 * might follow the times alone, past any number of rows with other values.
 */
function compare({ equal, ...order }: ListIndex, operator: "<" | ">=", { at, id }: Position): SQL {
  const columns = [...(equal ? [sql`${equal.column}`] : []), ...(order.at ? [sql`${order.at}`] : []), sql`${order.id}`];
  const values = [...(equal ? [sql`${equal.value}`] : []), ...(order.at ? [sql`${at}`] : []), sql`${id}`];
  const list = (parts: SQL[]) => sql.join(parts, sql`, `);
  return sql`(${list(columns)}) ${sql.raw(operator)} (${list(values)})`;
}

function orderOf({ equal, ...order }: ListIndex): SQL[] {
  return [...(equal ? [desc(equal.column)] : []), ...(order.at ? [desc(order.at)] : []), desc(order.id)];
}

/** `column = value` in a form that no index serves; undefined without a value. */
export function equalsUnindexed(column: Column, value: string | undefined): SQL | undefined {
  return value === undefined ? undefined : sql`${column} || '' = ${value}`;
}
