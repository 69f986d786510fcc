import { getTableColumns, getTableName } from "drizzle-orm";
import { drizzle } from "drizzle-orm/node-postgres";
import type pg from "pg";
import { compileParams, compileRow, type Field } from "../query/compile.ts";
import type { Handle, ReadHandle, RowInsert, Statement } from "../query/handle.ts";
import * as tables from "../schema/postgres/index.ts";
import { ignore, persist, types } from "./pool.ts";

/** What drizzle has worked out of a query by the time it is prepared. */
type Compiled = {
  queryConfig: { text: string };
  params: unknown[];
  fields?: readonly Field[];
  joinsNotNullableMap?: Record<string, boolean>;
};

/** PostgreSQL's text cannot hold NUL, and a stranger's request may: it becomes U+FFFD, so it is found nowhere and breaks nothing. */
function withoutNul(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutNul);
  return typeof value === "string" && value.includes("\0") ? value.replaceAll("\0", "\uFFFD") : value;
}

/** A handle on PostgreSQL. */
export function postgresHandle(pool: pg.Pool): Handle {
  const client = {
    query: (query: pg.QueryConfig, params?: unknown[]) =>
      persist(pool, isRead(query.text), () => pool.query({ ...query, types }, params?.map(withoutNul))),
  };

  /** What drizzle's driver does for each call, done once. */
  function prepare(
    query: { prepare(name: string): unknown },
    name: string,
  ): { execute(values: Record<string, unknown>): Promise<unknown[]> } {
    const { queryConfig, params, fields, joinsNotNullableMap } = query.prepare(name) as Compiled;
    const fill = compileParams(params);
    const rowOf = fields ? compileRow(fields, joinsNotNullableMap) : undefined;
    return {
      async execute(values) {
        const rows = await runAlone(pool, { name, sql: queryConfig.text, params: fill(values) });
        return rowOf ? rows.map(rowOf) : rows;
      },
    };
  }

  return {
    db: drizzle(client as unknown as pg.Pool) as unknown as Handle["db"],
    tables,
    dialect: "postgres",
    prepare: prepare as Handle["prepare"],
    gathers: true,
    version: () => undefined,

    async together(parts) {
      const [only] = parts;
      if (only && parts.length === 1) return [await runAlone(pool, only)]; // a statement is a transaction of its own
      return transaction(pool, async (runPart) => {
        const answers: unknown[][][] = [];
        for (const part of parts) answers.push(await runPart(part));
        return answers;
      });
    },

    spend: async (first, rest) => (await runAlone(pool, inOneStatement(first, rest))).length > 0,
  };
}

/**
 * Every statement follows an index in its order, which bounds what it examines (CO-55). Left to itself, the planner prefers to read
 * and sort a whole table where it takes the index for scattered.
 */
export const FOLLOW_INDEX = `BEGIN TRANSACTION READ ONLY; SET LOCAL enable_seqscan = off; SET LOCAL enable_bitmapscan = off;
  SET LOCAL enable_sort = off; SET LOCAL max_parallel_workers_per_gather = 0`;

/** A handle that only reads, for the console's lists. Each statement is a transaction of its own. */
export function postgresReadHandle(pool: pg.Pool): ReadHandle {
  const client = {
    query(query: pg.QueryConfig, params?: unknown[]) {
      const work = (connection: pg.PoolClient) => connection.query({ ...query, types }, params?.map(withoutNul));
      return persist(pool, true, () => attempt(pool, FOLLOW_INDEX, work));
    },
  };
  return { db: drizzle(client as unknown as pg.Pool) as unknown as ReadHandle["db"], tables };
}

/**
 * The inserts as parts of the statement that decides: one trip instead of five, and all or none by itself. Whoever loses a race
 * waits for the row, finds it spent, and inserts nothing.
 */
function inOneStatement(first: Statement, rest: readonly RowInsert[]): Statement {
  const params = [first, ...rest].flatMap((part) => part.params);
  if (first.name === undefined) return { sql: textOf(first, rest), params };
  const name = `${first.name} for ${rest.map(({ table }) => getTableName(table)).join(", ")}`;
  const sql = texts.get(name) ?? textOf(first, rest);
  texts.set(name, sql);
  return { name: name.slice(0, LONGEST_NAME), sql, params };
}

const texts = new Map<string, string>();
/** Of a prepared statement: the server cuts off what is longer. */
const LONGEST_NAME = 63;

function textOf(first: Statement, rest: readonly RowInsert[]): string {
  let given = first.params.length;
  const inserts = rest.map(({ table, params }, at) => {
    const columns = Object.values(getTableColumns(table));
    const values = columns.map((column, place) => `$${given + place + 1}::${column.getSQLType()}`).join(", ");
    const names = columns.map((column) => `"${column.name}"`).join(", ");
    given += params.length;
    return `bought_${at} as (insert into "${getTableName(table)}" (${names}) select ${values} where exists (select 1 from spent))`;
  });
  return `with ${[`spent as (${first.sql})`, ...inserts].join(", ")} select 1 from spent`;
}

const isRead = (sql: string) => /^\(*select\b/i.test(sql);

/** Runs one statement, which is a transaction of its own; answers with its rows, columns in order. Throws StoreUnavailable. */
function runAlone(pool: pg.Pool, statement: Statement): Promise<unknown[][]> {
  return persist(pool, isRead(statement.sql), () => run(pool, statement));
}

async function run(on: pg.Pool | pg.PoolClient, { name, sql, params }: Statement): Promise<unknown[][]> {
  const query = { text: sql, values: params.map(withoutNul), rowMode: "array" as const, types };
  return (await on.query<unknown[]>(name === undefined ? query : { ...query, name })).rows;
}

type Transaction<Value> = (run: (part: Statement) => Promise<unknown[][]>) => Promise<Value>;

/** All or none; throws StoreUnavailable. `work` runs again when the server aborted it. */
function transaction<Value>(pool: pg.Pool, work: Transaction<Value>): Promise<Value> {
  return persist(pool, false, () => attempt(pool, "BEGIN", (connection) => work((part) => run(connection, part))));
}

async function attempt<Value>(pool: pg.Pool, begin: string, work: (connection: pg.PoolClient) => Promise<Value>): Promise<Value> {
  const connection = await pool.connect();
  connection.on("error", ignore);
  try {
    await connection.query(begin);
    const value = await work(connection);
    await connection.query("COMMIT");
    connection.off("error", ignore);
    connection.release();
    return value;
  } catch (cause) {
    connection.release(true); // closing it rolls back, whatever state it is in
    throw cause;
  }
}
