import pg from "pg";
import { ignoreError, types } from "./pool.ts";

/** Runs `work` on a connection of its own, without the limits of a server's. */
export async function connectPostgres<Result>(
  url: string,
  work: (client: pg.Client) => Promise<Result>,
): Promise<Result> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 10_000, types });
  client.on("error", ignoreError);
  await client.connect();
  try {
    await client.query("SET statement_timeout = 0");
    return await work(client);
  } finally {
    await client.end();
  }
}
