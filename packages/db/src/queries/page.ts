import { and, type Column, eq, lt, or, type SQL, sql } from "drizzle-orm";

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

/** Keyset paging, newest first: rows after `position`. Never an OFFSET, which slows down page by page. */
export function after(position: Position | undefined, columns: { at: Column; id: Column }): SQL | undefined {
  if (!position) return undefined;
  // The first term alone narrows the index scan.
  return and(
    sql`${columns.at} <= ${position.at}`,
    or(lt(columns.at, position.at), and(eq(columns.at, position.at), lt(columns.id, position.id))),
  );
}

/** One row more than asked tells whether there is a next page. */
export function toPage<Row>(rows: Row[], limit: number, position: (row: Row) => Position): { items: Row[]; nextCursor: string | null } {
  const items = rows.slice(0, limit);
  const last = items.at(-1);
  return { items, nextCursor: rows.length > limit && last ? writeCursor(position(last)) : null };
}

/** Case-insensitive "contains"; `%` and `_` in the text mean themselves. */
export function contains(column: Column, text: string): SQL {
  const pattern = `%${text.replaceAll(/[\\%_]/g, "\\$&")}%`;
  return sql`lower(${column}) like lower(${pattern}) escape '\\'`;
}
