import { drizzle } from "drizzle-orm/node-postgres";
import pg from "pg";
import type { Handle, Statement } from "./handle.ts";
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

/** PostgreSQL's text cannot hold NUL, and a stranger's request may: it becomes U+FFFD, so it is found nowhere and breaks nothing. */
function withoutNul(value: unknown): unknown {
  return typeof value === "string" && value.includes("\0") ? value.replaceAll("\0", "\uFFFD") : value;
}

/** A handle on PostgreSQL. */
export function postgresHandle(pool: pg.Pool): Handle {
  const client = { query: (query: pg.QueryConfig, params?: unknown[]) => pool.query({ ...query, types }, params?.map(withoutNul)) };

  return {
    db: drizzle(client as unknown as pg.Pool) as unknown as Handle["db"],
    tables,
    prepare: (query, name) => query.prepare(name),
    version: () => undefined,

    together: (parts) =>
      transaction(pool, async (run) => {
        const answers: unknown[][][] = [];
        for (const part of parts) answers.push(await run(part));
        return answers;
      }),

    spend: (first, rest) =>
      transaction(pool, async (run) => {
        const won = (await run(first)).length > 0;
        for (const part of won ? rest : []) await run(part);
        return won;
      }),
  };
}

async function transaction<Value>(pool: pg.Pool, work: (run: (part: Statement) => Promise<unknown[][]>) => Promise<Value>): Promise<Value> {
  const connection = await pool.connect();
  try {
    await connection.query("BEGIN");
    const value = await work(async ({ name, sql, params }) => {
      const query = { text: sql, values: params.map(withoutNul), rowMode: "array" as const };
      return (await connection.query<unknown[]>(name === undefined ? query : { ...query, name })).rows;
    });
    await connection.query("COMMIT");
    connection.release();
    return value;
  } catch (cause) {
    connection.release(true); // closing it rolls back, whatever state it is in
    throw cause;
  }
}
