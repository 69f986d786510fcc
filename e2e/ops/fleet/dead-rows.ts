import { type Hash, timeOrderedIdsFrom } from "@gatehouse/auth";
import { type Database, openDatabase } from "@gatehouse/db/database";
import { count, lt } from "drizzle-orm";

const CHUNK = 50_000;
/** Long after the sweeper may delete them. */
const DEAD_SECONDS = 12 * 3_600;

/** Adds access tokens that expired half a day ago, of a client that has at least one token. Its tasks are due at once. */
export async function addDeadTokens(url: string, rows: number): Promise<void> {
  const database = await openDatabase(url);
  try {
    const { db } = database;
    const { accessTokens, leases } = db.tables;
    const [template] = await db.select().from(accessTokens).limit(1);
    if (!template) throw new Error("there is no token to copy");
    const { clientId, clientEpoch, scope, audience, environment } = template;
    const until = Math.floor(Date.now() / 1_000) - DEAD_SECONDS;
    const texts = [clientId, scope, audience, environment].map((text) => `'${text}'`).join(", ");
    for (let from = 1; from <= rows; from += CHUNK) {
      const expiresAt = until + from / CHUNK;
      const { numbers, number } = numbersOf(database, from, Math.min(rows, from + CHUNK - 1));
      const values = `'${timeOrderedIdsFrom(Math.floor(expiresAt))}' || ${number} || 'of-a-test', ${clientEpoch}, ${Math.floor(expiresAt) - 60}, ${Math.floor(expiresAt)}, ${texts}`;
      const columns = "hash, client_epoch, issued_at, expires_at, client_id, scope, audience, environment";
      await run(database, `INSERT INTO access_tokens (${columns}) ${numbers(values)}`);
    }
    await db.delete(leases);
  } finally {
    await database.close();
  }
}

/** How many of them are left, until `close`. */
export async function watchDeadTokens(url: string): Promise<{ left(): Promise<number>; close(): Promise<void> }> {
  const { db, close } = await openDatabase(url);
  const { accessTokens } = db.tables;
  const end = timeOrderedIdsFrom(Math.floor(Date.now() / 1_000) - DEAD_SECONDS / 2);
  return {
    async left() {
      const [row] = await db
        .select({ left: count() })
        .from(accessTokens)
        .where(lt(accessTokens.hash, end as Hash));
      return row?.left ?? 0;
    },
    close,
  };
}

function numbersOf({ dialect }: Database, from: number, to: number) {
  return dialect === "sqlite"
    ? {
        number: "printf('%010d', n)",
        numbers: (values: string) =>
          `WITH RECURSIVE numbers(n) AS (SELECT ${from} UNION ALL SELECT n + 1 FROM numbers WHERE n < ${to}) SELECT ${values} FROM numbers`,
      }
    : {
        number: "lpad(n::text, 10, '0')",
        numbers: (values: string) => `SELECT ${values} FROM generate_series(${from}::bigint, ${to}::bigint) n`,
      };
}

async function run({ engine }: Database, sql: string): Promise<void> {
  if (engine.dialect === "sqlite") engine.connection.exec(sql);
  else await engine.pool.query(sql);
}
