import pg from "pg";
import { sqliteFile } from "../database.ts";
import { ignoreError, types } from "../postgres/pool.ts";

/** The file of a SQLite URL. Throws for a database in memory. */
export function fileOf(url: string): string {
  const file = sqliteFile(url);
  if (file === undefined) throw new Error("A database in memory has no file to look at.");
  return file;
}

/** Runs `work` on a connection of its own, without the limits of the server's: looking at large tables takes time. */
export async function withPostgres<Result>(
  url: string,
  work: (query: <Row>(sql: string, values?: unknown[]) => Promise<Row[]>) => Promise<Result>,
): Promise<Result> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 10_000, types });
  client.on("error", ignoreError);
  await client.connect();
  try {
    await client.query("SET statement_timeout = 0");
    return await work(
      async <Row>(sql: string, values: unknown[] = []) => (await client.query(sql, values)).rows as Row[],
    );
  } finally {
    await client.end();
  }
}
