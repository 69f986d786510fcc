import { findStoreUnavailable } from "@gatehouse/auth";
import DataLoader from "dataloader";
import { eq, getTableName, type SQL, sql } from "drizzle-orm";
import type { PgColumn, PgTable } from "drizzle-orm/pg-core";
import { compileInsert } from "../postgres/insert-rows.ts";
import type { Db, Executable, Preparable } from "./db.ts";
import { memoized, placeholders, prepared } from "./prepared.ts";

/**
 * A text column that a {@link Lookup} joins by, as an expression. PostgreSQL's statistics of the column itself lack the
 * newest ids, so it can choose to merge both tables, expect the merge to end early, and read millions of rows. It has
 * no statistics of an expression, and looks each row up.
 */
export const lookedUp = (column: PgColumn): SQL => sql`${column} || ''`;

/** A hot query for the rows of one key. */
export type Lookup<Row> = {
  /** Unique among prepared queries. */
  name: string;
  /** Builds the query, with `matching` its key's column as the condition. */
  build: (db: Db, matching: (column: PgColumn) => SQL) => Preparable<Executable<Row>>;
  keyOf: (row: Row) => string;
};

/** Returns the rows of `key`. On PostgreSQL, all lookups of one turn of the event loop share a query. */
export function lookUp<Row>(db: Db, { name, build, keyOf }: Lookup<Row>, key: string): Promise<Row[]> {
  const find = memoized(db, `look up ${name}`, () => {
    if (!db.batches) {
      const one = prepared(db, name, () => build(db, (column) => eq(column, sql.placeholder("key"))));
      return (wanted: string) => one.execute({ key: wanted });
    }
    const many = prepared(db, name, () => build(db, (column) => sql`${column} = any(${sql.placeholder("keys")})`));
    return batch(async (keys: readonly string[]) => {
      const rows = await many.execute({ keys: [...new Set(keys)] });
      const byKey = new Map<string, Row[]>();
      for (const row of rows) byKey.set(keyOf(row), [...(byKey.get(keyOf(row)) ?? []), row]);
      return keys.map((wanted) => byKey.get(wanted) ?? []);
    });
  });
  return find(key);
}

/**
 * Inserts a row of which every column is given. On PostgreSQL, all rows of one turn for the same table share a
 * statement.
 */
export async function appendRow<Table extends PgTable>(
  db: Db,
  table: Table,
  row: Table["$inferInsert"],
): Promise<void> {
  const add = memoized(db, `append to ${getTableName(table)}`, () => {
    if (db.batches) return appendMany(db, table);
    const name = `append one to ${getTableName(table)}`;
    const one = prepared(db, name, () => db.insert(table).values(placeholders(table) as never)) as Executing;
    return async (values: Record<string, unknown>) => void (await one.execute(values));
  });
  await add(row);
}

type Executing = { execute(values: Record<string, unknown>): Promise<unknown> };

/** The rows of one turn in one statement. */
function appendMany(db: Db, table: PgTable): (row: Record<string, unknown>) => Promise<void> {
  const insert = compileInsert(table);
  return batch<Record<string, unknown>, void>(async (rows) => {
    await db.transaction([insert(rows)]);
    return rows.map(() => undefined);
  });
}

/**
 * Collects the calls of one turn of the event loop and answers them together. If that fails, each is tried alone, so
 * that no caller fails because of another; not if the database cannot serve, since a row may then have been written.
 */
export function batch<Input, Output>(
  run: (inputs: readonly Input[]) => Promise<readonly Output[]>,
  maxBatchSize = Number.POSITIVE_INFINITY,
): (input: Input) => Promise<Output> {
  const runAlone = async (input: Input): Promise<Output | Error> => {
    try {
      const [output] = await run([input]);
      return output as Output;
    } catch (cause) {
      return cause instanceof Error ? cause : new Error("a statement failed", { cause });
    }
  };
  const runTogether = async (inputs: readonly Input[]): Promise<ArrayLike<Output | Error>> => {
    try {
      return await run(inputs);
    } catch (cause) {
      if (inputs.length === 1 || findStoreUnavailable(cause)) throw cause;
      return Promise.all(inputs.map(runAlone));
    }
  };
  const loader = new DataLoader<Input, Output>(runTogether, {
    cache: false,
    batchScheduleFn: setImmediate,
    maxBatchSize,
  });
  return (input) => loader.load(input);
}
