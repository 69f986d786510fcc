import { getTableColumns, getTableName, type Placeholder, sql, type Table } from "drizzle-orm";
import type { PgTable } from "drizzle-orm/pg-core";
import { tableOf } from "./builder.ts";
import { compileParams } from "./compile.ts";
import type { Handle, Preparable, RowInsert, Write, WriteQuery } from "./handle.ts";

const memos = new WeakMap<Handle, Map<string, unknown>>();

/** The result of `make`, which runs once for each handle and name. */
export function memoized<Value>(handle: Handle, name: string, make: () => Value): Value {
  const known = memos.get(handle) ?? new Map<string, unknown>();
  memos.set(handle, known);
  if (!known.has(name)) known.set(name, make());
  return known.get(name) as Value;
}

/** The prepared form of a hot query, built once for each handle. Values are given by `sql.placeholder`. */
export function prepared<Prepared>(handle: Handle, name: string, build: (handle: Handle) => Preparable<Prepared>): Prepared {
  return memoized(handle, name, () => handle.prepare(build(handle), name));
}

/** A hot write for {@link Handle.transaction} and {@link Handle.spend}: `build` runs once for each handle, `values` are filled in each time. */
export function preparedWrite(handle: Handle, name: string, build: (handle: Handle) => WriteQuery, values: Record<string, unknown>): Write {
  const { sql, table, fill } = memoized(handle, name, () => {
    const write = toWrite(build(handle));
    return { ...write, fill: compileParams(write.params) };
  });
  return { name, sql, params: fill(values), table };
}

/** The insert of one row, compiled once for each table. */
export function rowInsert<T extends PgTable>(handle: Handle, table: T, row: T["$inferInsert"]): RowInsert {
  const name = `insert into ${getTableName(table)}`;
  return preparedWrite(handle, name, ({ db }) => db.insert(table).values(placeholders(table) as never), row);
}

/** A write of the builder, ready to send. Throws for anything else, which would not say what it changes. */
export function toWrite(query: Write | WriteQuery): Write {
  if (!("toSQL" in query)) return query;
  const table = tableOf(query);
  if (!table) throw new Error("not a write of the handle's builder");
  return { ...query.toSQL(), table };
}

type Placeholders<T extends Table> = Record<keyof T["$inferInsert"], Placeholder>;

/** A placeholder for each column, named like the column. */
export function placeholders<T extends Table>(table: T): Placeholders<T> {
  return Object.fromEntries(Object.keys(getTableColumns(table)).map((key) => [key, sql.placeholder(key)])) as Placeholders<T>;
}
