import pg from "pg";
import { ignoreError, types } from "./pool.ts";

/**
 * Runs `work` on a connection of its own, which has no limits but those of the account. It sets none: through a pooler,
 * a setting of the session would stay with a connection that others use next.
 */
export async function connectPostgres<Result>(
  url: string,
  work: (client: pg.Client) => Promise<Result>,
): Promise<Result> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 10_000, types });
  client.on("error", ignoreError);
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}
