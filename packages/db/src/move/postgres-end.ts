import type { PgTable } from "drizzle-orm/pg-core";
import pg from "pg";
import { compileInsert } from "../postgres/insert-rows.ts";
import { ignoreError, types } from "../postgres/pool.ts";
import type { MoveEnd } from "./end.ts";
import { type FurtherSchemas, tablesInOrder } from "./rows.ts";
import { fromDriver, pageOf } from "./sqlite-end.ts";

const LOCK_TIMEOUT_MS = 30_000;
/** A partition is moved by its table. */
const TABLES = `SELECT relname AS name FROM pg_class
  WHERE relnamespace = current_schema()::regnamespace AND relkind IN ('r', 'p') AND NOT relispartition
  AND relname NOT IN ('cache_changes', 'cache_epoch')`;

/**
 * A PostgreSQL database. Until the end, others can read it and cannot write: the lock of each table waits for writes
 * that are under way. Large statements and long pauses are allowed.
 */
export async function openPostgresEnd(url: string, further?: FurtherSchemas): Promise<MoveEnd> {
  const client = new pg.Client({ connectionString: url, keepAlive: true, connectionTimeoutMillis: 10_000, types });
  client.on("error", ignoreError);
  await client.connect();
  const tables = tablesInOrder("postgres", further);
  let disabled = false;
  try {
    await client.query(
      `BEGIN; SET LOCAL statement_timeout = 0; SET LOCAL idle_in_transaction_session_timeout = 0;
       SET LOCAL lock_timeout = ${LOCK_TIMEOUT_MS}; SET LOCAL synchronous_commit = on;
       LOCK TABLE ${tables.map(({ name }) => `"${name}"`).join(", ")} IN SHARE ROW EXCLUSIVE MODE`,
    );
  } catch (cause) {
    await client.end();
    throw cause;
  }
  return {
    tables,
    async tableNames() {
      const { rows } = await client.query<{ name: string }>(TABLES);
      return rows.map(({ name }) => name);
    },
    async read(table, after, limit) {
      const { sql, params } = pageOf(table, after, (at) => `$${at}`);
      const { rows } = await client.query({ text: sql, values: [...params, limit], types });
      return rows.map((row) => fromDriver(table, row));
    },
    async withoutTriggers() {
      await client.query(tables.map(({ name }) => `ALTER TABLE "${name}" DISABLE TRIGGER USER`).join("; "));
      disabled = true;
    },
    async insert({ table }, rows) {
      const { sql, params } = compileInsert(table as PgTable)(rows);
      await client.query({ text: sql, values: params });
    },
    async count({ name }) {
      const { rows } = await client.query<{ count: string }>(`SELECT count(*)::text AS count FROM "${name}"`);
      return Number(rows[0]?.count);
    },
    async setFact(key, value) {
      await client.query("DELETE FROM installation WHERE key = $1", [key]);
      if (value !== null) await client.query("INSERT INTO installation (key, value) VALUES ($1, $2)", [key, value]);
    },
    async commit() {
      if (disabled)
        await client.query(tables.map(({ name }) => `ALTER TABLE "${name}" ENABLE TRIGGER USER`).join("; "));
      await client.query("COMMIT");
    },
    close: () => client.end(), // rolls back
  };
}
