import { findStoreUnavailable } from "@gatehouse/auth";
import { eq, getTableColumns, getTableName, type SQL, sql } from "drizzle-orm";
import type { PgColumn, PgTable } from "drizzle-orm/pg-core";
import { everyColumn, type Handle, type Preparable, prepared, remembered } from "./handle.ts";

type Executable<Row> = Preparable<{ execute(values: Record<string, unknown>): Promise<Row[]> }>;

/** A hot query for the rows of one key. */
export type Lookup<Row> = {
  /** Unique among prepared queries. */
  name: string;
  /** Builds the query, whose condition is `matching` its key's column. */
  build: (handle: Handle, matching: (column: PgColumn) => SQL) => Executable<Row>;
  keyOf: (row: Row) => string;
};

/** The rows of `key`. Where every query is a trip over the network, all lookups of one turn of the event loop are one query. */
export function lookUp<Row>(handle: Handle, { name, build, keyOf }: Lookup<Row>, key: string): Promise<Row[]> {
  const find = remembered(handle, `look up ${name}`, () => {
    if (!handle.gathers) {
      const one = prepared(handle, name, () => build(handle, (column) => eq(column, sql.placeholder("key"))));
      return (wanted: string) => one.execute({ key: wanted });
    }
    const many = prepared(handle, name, () => build(handle, (column) => sql`${column} = any(${sql.placeholder("keys")})`));
    return gather(async (keys: readonly string[]) => {
      const rows = await many.execute({ keys: [...new Set(keys)] });
      const byKey = new Map<string, Row[]>();
      for (const row of rows) byKey.set(keyOf(row), [...(byKey.get(keyOf(row)) ?? []), row]);
      return keys.map((wanted) => byKey.get(wanted) ?? []);
    });
  });
  return find(key);
}

/** Inserts a row of which every column is given. Rows of one turn share a statement where {@link lookUp} shares a query. */
export async function append<Table extends PgTable>(handle: Handle, table: Table, row: Table["$inferInsert"]): Promise<void> {
  const add = remembered(handle, `append to ${getTableName(table)}`, () => {
    if (handle.gathers) return gather(insertTogether(handle, table));
    const one = prepared(handle, `append one to ${getTableName(table)}`, () => handle.db.insert(table).values(everyColumn(table) as never));
    return async (values: Record<string, unknown>) => void (await (one as Executing).execute(values));
  });
  await add(row);
}

type Executing = { execute(values: Record<string, unknown>): Promise<unknown> };

/** As many rows as there are, by one statement of one text. A row that cannot be inserted takes no other with it. */
function insertTogether(handle: Handle, table: PgTable): (rows: readonly Record<string, unknown>[]) => Promise<undefined[]> {
  const columns = Object.entries(getTableColumns(table));
  const arrays = columns.map(([, column], at) => `$${at + 1}::${column.getSQLType()}[]`);
  const into = `"${getTableName(table)}" (${columns.map(([, column]) => `"${column.name}"`).join(", ")})`;
  const statement = { name: `append to ${getTableName(table)}`, sql: `insert into ${into} select * from unnest(${arrays.join(", ")})` };
  const insert = async (rows: readonly Record<string, unknown>[]) => {
    const params = columns.map(([key, column]) => rows.map((row) => (row[key] === null ? null : column.mapToDriverValue(row[key]))));
    await handle.together([{ ...statement, params }]);
  };

  return async (rows) => {
    await insert(rows);
    return rows.map(() => undefined);
  };
}

/**
 * Collects what is asked in one turn of the event loop and answers it together. When that fails, each is tried alone, so that
 * nobody fails for another's sake; not when the database cannot serve, since then a row may have been written.
 */
function gather<Asked, Answer>(answer: (asked: readonly Asked[]) => Promise<readonly Answer[]>): (asked: Asked) => Promise<Answer> {
  type Waiting = { asked: Asked; resolve: (answer: Answer) => void; reject: (cause: unknown) => void };
  let waiting: Waiting[] = [];

  const settle = async (group: readonly Waiting[]): Promise<void> => {
    try {
      const answers = await answer(group.map(({ asked }) => asked));
      for (const [at, { resolve }] of group.entries()) resolve(answers[at] as Answer);
    } catch (cause) {
      if (group.length > 1 && !findStoreUnavailable(cause)) await Promise.all(group.map((one) => settle([one])));
      else for (const { reject } of group) reject(cause);
    }
  };
  const flush = () => {
    const group = waiting;
    waiting = [];
    settle(group);
  };
  return (asked) =>
    new Promise((resolve, reject) => {
      if (waiting.push({ asked, resolve, reject }) === 1) setImmediate(flush);
    });
}
