import { tracing } from "@gatehouse/runtime/tracing";
import { drizzle } from "drizzle-orm/node-postgres";
import type pg from "pg";
import { batch } from "../query/batching.ts";
import { createBuilder, createReadBuilder, tableOf } from "../query/builder.ts";
import { compile } from "../query/compile.ts";
import type { Db, Preparable, ReadDb, Statement, Write } from "../query/db.ts";
import { toWrite } from "../query/prepared.ts";
import { tracingStatement } from "../query/traced.ts";
import * as tables from "../schema/postgres/index.ts";
import { createVersionReader } from "./cache-versions.ts";
import { type Pool, types, withConnection, withRetries, withStatementNames } from "./pool.ts";
import { isSameRow, type Spending, shapeOf, spendStatement } from "./spend-statement.ts";
import type { StatementNames } from "./statement-names.ts";

/** Bounds how long one statement keeps its rows locked. */
const MAX_SPENDINGS = 50;

type Outcome = "spent" | "refused" | "next";

/**
 * The database on PostgreSQL, with nothing that ties it to one server (OP-39). A read is repeated once when its
 * connection is lost; a write never is, since it may have taken effect.
 */
export function postgresDb(pool: Pool): Db {
  const { names } = pool;
  const reader = drizzleOver((run) => withRetries(pool, true, () => run(pool)));
  const writer = drizzleOver((run) => withRetries(pool, false, () => run(pool)));
  const builder = createBuilder(reader, writer);

  function prepare(
    query: Preparable<unknown>,
    name: string,
  ): { execute(values: Record<string, unknown>): Promise<unknown[]> } {
    const { sql, fill, toRow } = compile(query, name);
    const onlyReads = tableOf(query) === undefined;
    return {
      async execute(values) {
        const rows = await withStatementNames(pool, onlyReads, () =>
          send(pool, names, { name, sql, params: fill(values) }),
        );
        return toRow ? rows.map(toRow) : rows;
      },
    };
  }

  /** A single statement is a transaction by itself. */
  const write = (statement: Statement) => withStatementNames(pool, false, () => send(pool, names, statement));

  /** Of those that did not get their row, the ones that another of the same statement has changed may get it next. */
  async function spendTogether(all: readonly Spending[]): Promise<Outcome[]> {
    const rows = await write(spendStatement(all));
    const places = new Set(rows.map(([place]) => Number(place)));
    const spent = all.filter((_, at) => places.has(at + 1));
    return all.map((one, at) => {
      if (places.has(at + 1)) return "spent";
      return spent.some((other) => isSameRow(one, other)) ? "next" : "refused";
    });
  }
  const spenders = new Map<string, (one: Spending) => Promise<Outcome>>();

  function spenderOf(shape: string): (one: Spending) => Promise<Outcome> {
    const spender = spenders.get(shape) ?? batch(spendTogether, MAX_SPENDINGS);
    spenders.set(shape, spender);
    return spender;
  }

  /**
   * What is spent in one turn of the event loop shares a statement with the others of its shape, and so a round trip
   * and a commit.
   */
  async function spend(one: Spending): Promise<boolean> {
    const shape = shapeOf(one);
    const attempt = shape === undefined ? async () => (await spendTogether([one]))[0] : spenderOf(shape);
    for (;;) {
      const outcome = await attempt(one);
      if (outcome !== "next") return outcome === "spent";
    }
  }

  return {
    ...builder,
    tables,
    dialect: "postgres",
    prepare: prepare as Db["prepare"],
    batches: true,
    versions: createVersionReader((statement) => withStatementNames(pool, true, () => send(pool, names, statement))),
    local: undefined,

    async transaction(parts) {
      const writes = parts.map(toWrite);
      const [only] = writes;
      if (only && writes.length === 1) return [await write(only)];
      return withStatementNames(pool, false, () =>
        inTransaction(pool, "BEGIN", async (connection) => {
          const results: unknown[][][] = [];
          for (const one of writes) results.push(await send(connection, names, one));
          return results;
        }),
      );
    },

    spend: (first, rest) => spend({ first, rest }),

    async guarded(guard, parts, lock) {
      const [first, ...rest] = [guard, ...parts].map(toWrite) as [Write, ...Write[]];
      if (rest.length === 0 && !lock) return (await write(first)).length > 0;
      return withStatementNames(pool, false, () =>
        inTransaction(pool, "BEGIN", async (connection) => {
          if (lock) await send(connection, names, toWrite(lock));
          if ((await send(connection, names, first)).length === 0) return false;
          for (const one of rest) await send(connection, names, one);
          return true;
        }),
      );
    },
  };
}

/**
 * Every list follows an index in its order, which bounds the rows that it examines (CO-55). By default the planner
 * reads and sorts a whole table when it estimates that to be cheaper.
 */
export const FOLLOW_INDEX = `BEGIN TRANSACTION READ ONLY; SET LOCAL enable_seqscan = off; SET LOCAL enable_bitmapscan = off;
  SET LOCAL enable_sort = off; SET LOCAL max_parallel_workers_per_gather = 0`;

/** A database that only reads, for the console's lists. Each statement is a transaction of its own. */
export function postgresReadDb(pool: Pool): ReadDb {
  const reads = drizzleOver((run) => withRetries(pool, true, () => inTransaction(pool, FOLLOW_INDEX, run)));
  return { ...createReadBuilder(reads), tables };
}

type Connection = pg.Pool | pg.PoolClient;

/** drizzle over a client that runs each query on the connection that `on` gives it. */
function drizzleOver(
  on: (run: (connection: Connection) => Promise<pg.QueryResult>) => Promise<pg.QueryResult>,
): unknown {
  const query = (config: pg.QueryConfig, params?: unknown[]) =>
    on((connection) => traced(config.text, () => connection.query({ ...config, types }, params?.map(withoutNul))));
  return drizzle({ query } as unknown as pg.Pool);
}

/** Sends a statement; returns its rows, columns in order. */
async function send(on: Connection, names: StatementNames, { name, sql, params }: Statement): Promise<unknown[][]> {
  const query = { text: sql, values: params.map(withoutNul), rowMode: "array" as const, types };
  const sentName = names.nameOf(name, sql);
  const config = sentName === undefined ? query : { ...query, name: sentName };
  return (await traced(sql, () => on.query<unknown[]>(config))).rows;
}

const traced = <Value>(sql: string, work: () => Promise<Value>): Promise<Value> =>
  tracing.current ? tracingStatement("postgresql", sql, work) : work();

/**
 * PostgreSQL's text cannot hold NUL, which any request can contain. It becomes U+FFFD: such a value matches nothing and
 * causes no error.
 */
function withoutNul(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutNul);
  return typeof value === "string" && value.includes("\0") ? value.replaceAll("\0", "\uFFFD") : value;
}

/** Runs `work` in a transaction on a connection of its own; all or none. */
function inTransaction<Value>(
  pool: Pool,
  begin: string,
  work: (connection: pg.PoolClient) => Promise<Value>,
): Promise<Value> {
  return withConnection(pool, async (connection) => {
    await connection.query(begin);
    const value = await work(connection);
    await connection.query("COMMIT");
    return value;
  });
}
