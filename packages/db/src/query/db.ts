import type { PgTable } from "drizzle-orm/pg-core";
import type { CacheVersions, VersionReader } from "../cache/caches.ts";
import type { Dialect } from "../migrations/read.ts";
import type * as postgres from "../schema/postgres/index.ts";
import type { Builder, ReadBuilder } from "./builder.ts";

/** The tables, typed as on PostgreSQL. On SQLite the same names hold SQLite's tables, kept equal by schema.test.ts. */
export type Tables = typeof postgres;

/** Ready to send: `params` are in the engine's own form. PostgreSQL keeps a statement with a name prepared. */
export type Statement = { name?: string; sql: string; params: unknown[] };
/** A statement that writes, with the table that it changes. */
export type Write = Statement & { readonly table: PgTable };
/** Inserts one row of which every column is given, in the table's order. */
export type RowInsert = Write;
/** A write of the builder. A `select` has `as`, and does not compile here. */
export type WriteQuery = { toSQL(): { sql: string; params: unknown[] }; as?: never };

/**
 * Writes on an engine in this process, where a statement costs no round trip: the result of one can decide on the next.
 */
export type LocalWrites = {
  /** Compiles a write once. The result runs it, only inside `transaction`, and returns how many rows it changed. */
  compile(write: Omit<Write, "params">): (params: readonly unknown[]) => number;
  /**
   * Runs `part` with all others of this turn of the event loop, all or none. It may run more than once: the run before
   * is then undone.
   */
  transaction<Value>(part: () => Value): Promise<Value>;
};

/** The database as query functions take it: drizzle's builder, the tables, and what a builder cannot express. */
export type Db = Builder & {
  tables: Tables;
  /** The engine, for packages with tables of their own: which of their schemas `db` takes. */
  dialect: Dialect;
  /**
   * Compiles a query whose values are given by `sql.placeholder`, once. The result behaves as that of drizzle's own
   * `prepare`. `name` is unique among prepared queries.
   */
  prepare<Prepared>(query: Preparable<Prepared>, name: string): Prepared;
  /**
   * Whether lookups and inserts of one turn of the event loop should share a statement: every statement is a network
   * round trip.
   */
  batches: boolean;
  /** What changed of the rows that this process caches. */
  versions: VersionReader;
  /** What a database in this process can do besides. Undefined on PostgreSQL, where every statement is a round trip. */
  local: (LocalReads & LocalWrites) | undefined;
  /** Runs the writes in order, all or none; durable when it resolves. Returns each one's rows, columns in order. */
  transaction(writes: readonly (Write | WriteQuery)[]): Promise<unknown[][][]>;
  /**
   * Spends something once: runs `first`, and only if that returns a row, inserts `rest`; all or none. Returns whether
   * `first` returned a row.
   */
  spend(first: Write, rest: readonly RowInsert[]): Promise<boolean>;
  /**
   * Runs `first`, which has `returning()`, and only if it returns a row, runs `rest` in order; all or none. Returns
   * whether `first` returned a row. Unlike {@link Db.spend}, `rest` can be any writes, and on PostgreSQL each costs a
   * round trip. `lock` runs before `first`: where the condition of `first` reads other rows than its own, it must take
   * a lock that every such change takes.
   */
  guarded(first: Write | WriteQuery, rest: readonly (Write | WriteQuery)[], lock?: WriteQuery): Promise<boolean>;
};

/** Reads without a round trip. */
export type LocalReads = {
  /** Compiles a query with one placeholder, `key`. The result reads at once, and returns the first row. */
  prepare<Row>(query: Preparable<Executable<Row>>, name: string): (key: string) => Row | undefined;
  /** {@link VersionReader.read}, at once. */
  versions(): CacheVersions;
};

/** What a query function that only reads takes. */
export type ReadDb = ReadBuilder & { tables: Tables };

export type Preparable<Prepared> = { prepare(name: string): Prepared; toSQL(): { sql: string; params: unknown[] } };

/** A query of the builder, prepared. */
export type Executable<Row> = { execute(values: Record<string, unknown>): Promise<Row[]> };
