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

type Drizzle = PgDatabase<PgQueryResultHKT, Record<string, never>>;

/** The builder for queries that only read. */
export type ReadBuilder = Pick<Drizzle, "select" | "selectDistinct">;

/**
 * drizzle's query builder, typed to PostgreSQL and narrowed to what both engines do alike: a SQLite-only form
 * (`.get()`, `.run()`), raw SQL and drizzle's own transactions do not compile. Every write begins with its table, so
 * {@link tableOf} knows what it changes.
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

const tables = new WeakMap<object, PgTable>();

/** The table that a query of {@link Builder} changes; undefined for one that only reads. */
export function tableOf(query: object): PgTable | undefined {
  return tables.get(query);
}

/** A builder of reads that run on a drizzle instance of either engine. */
export function createReadBuilder(reader: unknown): ReadBuilder {
  const reads = reader as Drizzle;
  return {
    select: reads.select.bind(reads) as Drizzle["select"],
    selectDistinct: reads.selectDistinct.bind(reads) as Drizzle["selectDistinct"],
  };
}

/** A builder whose reads run on `reader` and whose writes run on `writer`: drizzle instances of either engine. */
export function createBuilder(reader: unknown, writer: unknown): Builder {
  const writes = writer as Drizzle;

  /** drizzle's methods change the query and return it, so it stays known. */
  function known<Query extends object>(query: Query, table: PgTable): Query {
    tables.set(query, table);
    return query;
  }

  return {
    ...createReadBuilder(reader),
    insert: (table) => ({
      values: (rows) => known(writes.insert(table).values(rows as never), table),
      select: (query) => known(writes.insert(table).select(query as never), table),
    }),
    upsert: (table) => ({ values: (rows: never) => known(writes.insert(table).values(rows), table) }),
    update: (table) => ({ set: (values) => known(writes.update(table).set(values), table) }),
    delete: (table) => known(writes.delete(table), table),
  };
}
