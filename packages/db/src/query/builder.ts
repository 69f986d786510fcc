import { getTableName } from "drizzle-orm";
import type {
  PgDatabase,
  PgDeleteBase,
  PgInsertBase,
  PgInsertBuilder,
  PgQueryResultHKT,
  PgTable,
  PgUpdateBuilder,
} from "drizzle-orm/pg-core";
import type { PgInsertValue } from "drizzle-orm/pg-core/query-builders/insert";

/** What a write does to its table. An upsert inserts rows or updates those that are there. */
export type Operation = "insert" | "upsert" | "update" | "delete";

/** The table that a write changes, and how. A delete also changes the tables that foreign keys cascade to. */
export type Target = { readonly table: PgTable; readonly operation: Operation };

type Drizzle = PgDatabase<PgQueryResultHKT, Record<string, never>>;

/** The builder for queries that only read. */
export type ReadBuilder = Pick<Drizzle, "select" | "selectDistinct">;

/**
 * drizzle's query builder, typed to PostgreSQL and narrowed to what both engines do alike: a SQLite-only form (`.get()`, `.run()`), raw
 * SQL and drizzle's own transactions do not compile. Every write begins with its table, so {@link targetOf} knows what it changes.
 */
export type Builder = ReadBuilder & {
  /** Adds rows, and never changes one that is there: `onConflictDoUpdate` belongs to `upsert`. */
  insert<T extends PgTable>(
    table: T,
  ): {
    values(rows: PgInsertValue<T> | PgInsertValue<T>[]): Omit<PgInsertBase<T, PgQueryResultHKT>, "onConflictDoUpdate">;
    /** Every column of the table, in its order. */
    select(
      query: Parameters<PgInsertBuilder<T, PgQueryResultHKT>["select"]>[0],
    ): Omit<PgInsertBase<T, PgQueryResultHKT>, "onConflictDoUpdate">;
  };
  upsert<T extends PgTable>(table: T): Pick<PgInsertBuilder<T, PgQueryResultHKT>, "values">;
  update<T extends PgTable>(table: T): Pick<PgUpdateBuilder<T, PgQueryResultHKT>, "set">;
  delete<T extends PgTable>(table: T): PgDeleteBase<T, PgQueryResultHKT>;
};

const targets = new WeakMap<object, Target>();

/** What a query of {@link Builder} changes; undefined for one that only reads. */
export function targetOf(query: object): Target | undefined {
  return targets.get(query);
}

/**
 * A builder whose reads run on `reader`. `writer` opens a connection of drizzle's for the writes of one target; it is called once for each
 * target. Both may be drizzle instances of either engine.
 */
export function createBuilder(reader: unknown, writer: (target: Target) => unknown): Builder {
  const reads = reader as Drizzle;
  const writers = new Map<string, { target: Target; writes: Drizzle }>();

  function open(operation: Operation, table: PgTable): { target: Target; writes: Drizzle } {
    const key = `${operation} ${getTableName(table)}`;
    const known = writers.get(key);
    if (known) return known;
    const target = { table, operation };
    const opened = { target, writes: writer(target) as Drizzle };
    writers.set(key, opened);
    return opened;
  }

  /** drizzle's methods change the query and return it, so it keeps its target. */
  function withTarget<Query extends object>(query: Query, target: Target): Query {
    targets.set(query, target);
    return query;
  }

  return {
    select: reads.select.bind(reads) as Drizzle["select"],
    selectDistinct: reads.selectDistinct.bind(reads) as Drizzle["selectDistinct"],
    insert(table) {
      const { target, writes } = open("insert", table);
      return {
        values: (rows) => withTarget(writes.insert(table).values(rows as never), target),
        select: (query) => withTarget(writes.insert(table).select(query as never), target),
      };
    },
    upsert(table) {
      const { target, writes } = open("upsert", table);
      return { values: (rows: never) => withTarget(writes.insert(table).values(rows), target) };
    },
    update(table) {
      const { target, writes } = open("update", table);
      return { set: (values) => withTarget(writes.update(table).set(values), target) };
    },
    delete(table) {
      const { target, writes } = open("delete", table);
      return withTarget(writes.delete(table), target);
    },
  };
}
