import { getTableColumns, getTableName } from "drizzle-orm";
import { drizzle } from "drizzle-orm/node-postgres";
import pg from "pg";
import { compileParams, compileRow, type Field } from "./compiled.ts";
import type { Handle, RowInsert, Statement } from "./handle.ts";
import * as tables from "./schema/postgres.ts";

/** Whole numbers of 64 bits come back as numbers, not text: ours are times and counts. */
const types: pg.CustomTypesConfig = {
  getTypeParser: (id, format) => (id === pg.types.builtins.INT8 ? Number : pg.types.getTypeParser(id, format)),
};

/** A pool on a PostgreSQL server; `max` connections at most. */
export function openPool(url: string, max = 10): pg.Pool {
  const pool = new pg.Pool({ connectionString: url, max, connectionTimeoutMillis: 5000, keepAlive: true, types });
  pool.on("error", () => {}); // an idle connection was cut (a restart of the server): the pool opens another one when asked
  return pool;
}

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
  const client = { query: (query: pg.QueryConfig, params?: unknown[]) => pool.query({ ...query, types }, params?.map(withoutNul)) };

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
        const rows = await run(pool, { name, sql: queryConfig.text, params: fill(values) });
        return rowOf ? rows.map(rowOf) : rows;
      },
    };
  }

  return {
    db: drizzle(client as unknown as pg.Pool) as unknown as Handle["db"],
    tables,
    prepare: prepare as Handle["prepare"],
    gathers: true,
    version: () => undefined,

    async together(parts) {
      const [only] = parts;
      if (only && parts.length === 1) return [await run(pool, only)]; // a statement is a transaction of its own
      return transaction(pool, async (runPart) => {
        const answers: unknown[][][] = [];
        for (const part of parts) answers.push(await runPart(part));
        return answers;
      });
    },

    spend: async (first, rest) => (await run(pool, inOneStatement(first, rest))).length > 0,
  };
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

/** Runs one statement; answers with its rows, columns in order. */
async function run(on: pg.Pool | pg.PoolClient, { name, sql, params }: Statement): Promise<unknown[][]> {
  const query = { text: sql, values: params.map(withoutNul), rowMode: "array" as const, types };
  return (await on.query<unknown[]>(name === undefined ? query : { ...query, name })).rows;
}

async function transaction<Value>(pool: pg.Pool, work: (run: (part: Statement) => Promise<unknown[][]>) => Promise<Value>): Promise<Value> {
  const connection = await pool.connect();
  try {
    await connection.query("BEGIN");
    const value = await work((part) => run(connection, part));
    await connection.query("COMMIT");
    connection.release();
    return value;
  } catch (cause) {
    connection.release(true); // closing it rolls back, whatever state it is in
    throw cause;
  }
}
