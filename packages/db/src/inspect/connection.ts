import { sqliteFile } from "../database.ts";
import { connectPostgres } from "../postgres/connect.ts";

/** The file of a SQLite URL. Throws for a database in memory. */
export function fileOf(url: string): string {
  const file = sqliteFile(url);
  if (file === undefined) throw new Error("A database in memory has no file to look at.");
  return file;
}

type Query = <Row>(sql: string, values?: unknown[]) => Promise<Row[]>;

/**
 * Runs `work` on a connection of its own, without limits: looking at large tables takes time. Each statement lifts that
 * of its own transaction, since through a pooler the session is shared.
 */
export async function withPostgres<Result>(url: string, work: (query: Query) => Promise<Result>): Promise<Result> {
  return connectPostgres(url, (client) =>
    work(async <Row>(sql: string, values: unknown[] = []) => {
      await client.query("BEGIN; SET LOCAL statement_timeout = 0");
      try {
        return (await client.query(sql, values)).rows as Row[];
      } finally {
        await client.query("COMMIT"); // of a statement that failed, PostgreSQL makes a rollback
      }
    }),
  );
}
