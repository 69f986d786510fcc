import { type Column, type SQL, sql } from "drizzle-orm";

/** The last row of a page. Lists are newest first, so the next page has the rows below it. */
export type Position = { at: number; id: string };

/** Opaque to callers. */
export function writeCursor({ at, id }: Position): string {
  return `${at}.${id}`;
}

/** The position of a cursor; undefined if it is malformed. */
export function readCursor(cursor: string): Position | undefined {
  const [, at, id] = /^(\d{1,12})\.([\w.-]{1,64})$/.exec(cursor) ?? [];
  return at === undefined || id === undefined ? undefined : { at: Number(at), id };
}

/**
 * `searchedBackTo`: the search stopped at this instant (Unix seconds) before the page was full; `nextCursor` continues
 * it. CO-55.
 */
export type Page<Row> = { items: Row[]; nextCursor: string | null; searchedBackTo: number | null };

/** Makes a page of at most `limit` + 1 rows; the extra row says that there is a next page. */
export function toPage<Row>(
  { rows, first, searchedTo }: { rows: Row[]; first?: Row; searchedTo?: Position | undefined },
  limit: number,
  positionOf: (row: Row) => Position,
): Page<Row> {
  const items = rows.slice(0, limit);
  const last = items.at(-1);
  const next = searchedTo ?? (rows.length > limit && last ? positionOf(last) : undefined);
  return {
    items: first === undefined ? items : [first, ...items],
    nextCursor: next ? writeCursor(next) : null,
    searchedBackTo: searchedTo?.at ?? null,
  };
}

/** Case-insensitive "contains"; `%` and `_` in the text are literal. */
export function contains(column: Column, text: string): SQL {
  const pattern = `%${text.replaceAll(/[\\%_]/g, "\\$&")}%`;
  return sql`lower(${column}) like lower(${pattern}) escape '\\'`;
}
