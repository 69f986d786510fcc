import { getTableColumns, getTableName, type Placeholder, sql, type Table } from "drizzle-orm";
import type { PgDatabase, PgQueryResultHKT, PgTable } from "drizzle-orm/pg-core";
import type { Dialect } from "../migrations/read.ts";
import type * as postgres from "../schema/postgres/index.ts";
import { compileParams } from "./compile.ts";

/** The tables, typed as on PostgreSQL; on SQLite the same names hold SQLite's tables, held equal by schema.test.ts. */
export type Tables = typeof postgres;

/** Ready to send: the text and its values in the engine's own form. With a name, PostgreSQL keeps it prepared. */
export type Statement = { name?: string; sql: string; params: unknown[] };
/** Inserts one row of which every column is given, in the order of the table. */
export type RowInsert = Statement & { table: PgTable };

/**
 * What a query is given. `db` is typed to the Postgres builder and narrowed to what both engines do alike, so a
 * SQLite-only form (`.get()`, `.run()`) or a transaction that reads its own writes back does not compile.
 */
export type Handle = {
  db: Pick<PgDatabase<PgQueryResultHKT, Record<string, never>>, "select" | "selectDistinct" | "insert" | "update" | "delete">;
  tables: Tables;
  /** For packages with tables of their own: which of their schemas `db` takes. */
  dialect: Dialect;
  /** Compiles a query whose values go in by `sql.placeholder`: what it answers to `execute` is what drizzle's own `prepare` would. */
  prepare<Prepared>(query: Preparable<Prepared>, name: string): Prepared;
  /** Whether what is asked in one turn is better asked together: every query is a trip over the network. */
  gathers: boolean;
  /**
   * A number that is another one whenever one of these may have changed since, by whichever process; undefined where asking
   * costs as much as reading them does.
   */
  version(of: Watched): number | undefined;
  /** Runs the statements in order, all or none, durable when it resolves. Each answers with its rows, columns in order. */
  together(statements: readonly Statement[]): Promise<unknown[][][]>;
  /** Runs `first`; where it returns no row that is all, and the answer is false. Otherwise inserts the rest too: all or none. */
  spend(first: Statement, rest: readonly RowInsert[]): Promise<boolean>;
};

/** What a query that only reads is given. */
export type ReadHandle = { db: Pick<Handle["db"], "select" | "selectDistinct">; tables: Tables };

export type Preparable<Prepared> = { prepare(name: string): Prepared };

/** `settings` is what an operator sets, and every request reads; `standing` is all that decides whether an access token still holds. */
export type Watched = "settings" | "standing";

/** The statements that change what is watched. A new token or grant changes nothing that there was before. */
export const CHANGES: Record<Watched, RegExp> = {
  settings: /^(?:insert into|update|delete from) "(?:applications|clients|client_secrets|webhook_providers|webhook_secrets)"/,
  standing: /^(?:(?:update|delete from) "(?:access_tokens|grants|users)"|(?:insert into|update|delete from) "(?:applications|clients)")/,
};

const memo = new WeakMap<Handle, Map<string, unknown>>();

/** What `make` makes, once for each handle and name. */
export function remembered<Value>(handle: Handle, name: string, make: () => Value): Value {
  const known = memo.get(handle) ?? new Map<string, unknown>();
  memo.set(handle, known);
  if (!known.has(name)) known.set(name, make());
  return known.get(name) as Value;
}

/**
 * The prepared form of a hot query: built once per handle and kept under `name`, which also names it on PostgreSQL.
 * Values go in by `sql.placeholder`.
 */
export function prepared<Prepared>(handle: Handle, name: string, build: (handle: Handle) => Preparable<Prepared>): Prepared {
  return remembered(handle, name, () => handle.prepare(build(handle), name));
}

/** The same for {@link Handle.together} and {@link Handle.spend}: `build` runs once, the values are filled in each time. */
export function statement(
  handle: Handle,
  name: string,
  build: (handle: Handle) => { toSQL(): Statement },
  values: Record<string, unknown>,
): Statement {
  const { sql, fill } = remembered(handle, name, () => {
    const built = build(handle).toSQL();
    return { sql: built.sql, fill: compileParams(built.params) };
  });
  return { name, sql, params: fill(values) };
}

/** The statement that inserts `row`; its text is made once for each table. */
export function rowInsert<T extends PgTable>(handle: Handle, table: T, row: T["$inferInsert"]): RowInsert {
  const name = `insert into ${getTableName(table)}`;
  return { ...statement(handle, name, ({ db }) => db.insert(table).values(everyColumn(table) as never), row), table };
}

type Placeholders<T extends Table> = Record<keyof T["$inferInsert"], Placeholder>;

/** A placeholder for each column, for an insert whose row is filled in later. */
export function everyColumn<T extends Table>(table: T): Placeholders<T> {
  return Object.fromEntries(Object.keys(getTableColumns(table)).map((key) => [key, sql.placeholder(key)])) as Placeholders<T>;
}
