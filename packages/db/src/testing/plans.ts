import type pg from "pg";
import { postgresReadDb } from "../postgres/db.ts";
import type { Pool } from "../postgres/pool.ts";
import type { ReadDb } from "../query/db.ts";
import { sqliteReadDb } from "../sqlite/db.ts";
import { readRows } from "../sqlite/read-thread.ts";
import type { TestDatabase } from "./engines.ts";

/** A statement as it was sent. */
export type Sent = { sql: string; params: unknown[] };

/** A database for reads that adds every statement to `sent`. */
export function recordingDb(database: TestDatabase, sent: Sent[]): ReadDb {
  const { engine } = database;
  if (engine.dialect === "sqlite")
    return sqliteReadDb(async (text, params) => {
      sent.push({ sql: text, params });
      return readRows(engine.connection, text, params);
    });
  const connect = async () => {
    const client = await engine.pool.connect();
    const query = (config: string | pg.QueryConfig, params: unknown[] = []) => {
      if (typeof config !== "string") sent.push({ sql: config.text, params });
      return client.query(config as pg.QueryConfig, params);
    };
    return { query, on() {}, off() {}, release: () => client.release() };
  };
  return postgresReadDb({ connect, gate: engine.pool.gate } as unknown as Pool);
}

/** Tables whose rows the program names. */
const FEW_ROWS = ["SCAN totals"];

/**
 * PostgreSQL: the most rows that one step of the plan examined, in a transaction that starts with `begin`. SQLite: 0 if
 * every step searches an index, or reads a subquery with a limit or the table of one, otherwise infinity.
 */
export async function examinedRows(
  { engine }: TestDatabase,
  { sql: text, params }: Sent,
  begin: string,
): Promise<number> {
  if (engine.dialect === "sqlite") {
    const plan = engine.connection.prepare(`explain query plan ${text}`).all(...params) as { detail: string }[];
    const limited = [...text.matchAll(/(?: from "(\w+)")? limit \?\) "(\w+)"/g)];
    const bounded = [...limited.flatMap(([, table, name]) => [`SCAN ${table}`, `SCAN ${name}`]), ...FEW_ROWS];
    const scans = plan.filter(({ detail }) => detail.startsWith("SCAN"));
    const areBounded = scans.every(({ detail }) => bounded.includes(detail));
    // A sort of bounded rows is bounded.
    const sorts = plan.some(({ detail }) => detail.includes("TEMP B-TREE")) && scans.length === 0;
    return sorts || !areBounded ? Number.POSITIVE_INFINITY : 0;
  }
  const client = await engine.pool.connect();
  await client.query(begin);
  const { rows } = await client.query(`explain (analyze, format json) ${text}`, params);
  await client.query("ROLLBACK");
  client.release();
  return mostRows(rows[0]["QUERY PLAN"][0].Plan);
}

type Plan = { "Actual Rows": number; "Rows Removed by Filter"?: number; Plans?: Plan[] };
const mostRows = (plan: Plan): number =>
  Math.max(plan["Actual Rows"] + (plan["Rows Removed by Filter"] ?? 0), ...(plan.Plans ?? []).map(mostRows));
