import { getTableColumns, getTableName, type Placeholder, sql, type Table } from "drizzle-orm";
import type { PgTable } from "drizzle-orm/pg-core";
import { tableOf } from "./builder.ts";
import { compileParams } from "./compile.ts";
import type { Db, Preparable, RowInsert, Write, WriteQuery } from "./db.ts";

const memos = new WeakMap<Db, Map<string, unknown>>();

/** The result of `make`, which runs once for each database and name. */
export function memoized<Value>(db: Db, name: string, make: () => Value): Value {
  const known = memos.get(db) ?? new Map<string, unknown>();
  memos.set(db, known);
  if (!known.has(name)) known.set(name, make());
  return known.get(name) as Value;
}

/** The prepared form of a hot query, built once for each database. Values are given by `sql.placeholder`. */
export function prepared<Prepared>(db: Db, name: string, build: (db: Db) => Preparable<Prepared>): Prepared {
  return memoized(db, name, () => db.prepare(build(db), name));
}

/**
 * A hot write for {@link Db.transaction} and {@link Db.spend}: `build` runs once for each database, `values` are filled
 * in each time.
 */
export function preparedWrite(
  db: Db,
  name: string,
  build: (db: Db) => WriteQuery,
  values: Record<string, unknown>,
): Write {
  const { sql, table, fill } = memoized(db, name, () => {
    const write = toWrite(build(db));
    return { ...write, fill: compileParams(write.params) };
  });
  return { name, sql, params: fill(values), table };
}

/** The insert of one row, compiled once for each table. */
export function rowInsert<T extends PgTable>(db: Db, table: T, row: T["$inferInsert"]): RowInsert {
  const name = `insert into ${getTableName(table)}`;
  return preparedWrite(db, name, (builder) => builder.insert(table).values(placeholders(table) as never), row);
}

/** A write of the builder, ready to send. Throws for anything else, which would not say what it changes. */
export function toWrite(query: Write | WriteQuery): Write {
  if (!("toSQL" in query)) return query;
  const table = tableOf(query);
  if (!table) throw new Error("not a write of the builder");
  return { ...query.toSQL(), table };
}

type Placeholders<T extends Table> = Record<keyof T["$inferInsert"], Placeholder>;

/** A placeholder for each column, named like the column. */
export function placeholders<T extends Table>(table: T): Placeholders<T> {
  return Object.fromEntries(
    Object.keys(getTableColumns(table)).map((key) => [key, sql.placeholder(key)]),
  ) as Placeholders<T>;
}
