import { type Column, type SQL, sql } from "drizzle-orm";

/** Where a page ended: the last row's instant and id. Newest first, so the next page is what lies below. */
export type Position = { at: number; id: string };

/** Opaque to callers. */
export function writeCursor({ at, id }: Position): string {
  return `${at}.${id}`;
}

/** The position of a cursor; undefined when it is not one of ours. */
export function readCursor(cursor: string): Position | undefined {
  const [, at, id] = /^(\d{1,12})\.([\w-]{1,64})$/.exec(cursor) ?? [];
  return at === undefined || id === undefined ? undefined : { at: Number(at), id };
}

/** `searchedBackTo`: the search stopped at this instant (Unix seconds) before the page was full; `nextCursor` continues it. CO-55. */
export type Page<Row> = { items: Row[]; nextCursor: string | null; searchedBackTo: number | null };

/** One row more than asked tells whether there is a next page. */
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

/** Case-insensitive "contains"; `%` and `_` in the text mean themselves. */
export function contains(column: Column, text: string): SQL {
  const pattern = `%${text.replaceAll(/[\\%_]/g, "\\$&")}%`;
  return sql`lower(${column}) like lower(${pattern}) escape '\\'`;
}
