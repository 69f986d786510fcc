import pg from "pg";
import { expect, test } from "vitest";
import { openDatabase } from "../database.ts";
import { engines, type TestDatabase } from "../testing/engines.ts";
import { NOW } from "../testing/people.ts";
import { startPostgresServer } from "../testing/postgres-server.ts";
import { readPartitions } from "./catalog.ts";
import { partitionTable } from "./convert.ts";
import { keepPartitions } from "./keep.ts";
import { PARTITIONED_NAMES } from "./tables.ts";

const ROWS = 1_000_000;
const DAY = 86_400;
const [engine] = engines.filter(({ name }) => name === "postgres");

test("OP-35 in the whole suite, databases that tests share have partitions", async () => {
  const database = (await engine?.open()) as TestDatabase;
  expect((await readPartitions(database.db, database.reads)).map(({ table }) => table)).toEqual([...PARTITIONED_NAMES]);
  await database.close();
});

test("OP-35 a million rows go with their partition, without a record of the log for each", async () => {
  // Its own server: the position in the log is that of all databases.
  const server = await startPostgresServer({ autovacuum: false });
  const url = await server.createDatabase("partitions");
  const database = await openDatabase(url);
  await database.migrate();
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query("SET statement_timeout = 0");
  const logged = async (what: () => Promise<unknown>) => {
    const { rows } = await client.query("SELECT pg_current_wal_insert_lsn() AS before");
    await what();
    const written = await client.query("SELECT pg_wal_lsn_diff(pg_current_wal_insert_lsn(), $1)::float8 AS bytes", [
      rows[0].before,
    ]);
    return written.rows[0].bytes as number;
  };
  await client.query(
    `INSERT INTO access_tokens (hash, client_id, client_epoch, scope, audience, environment, issued_at, expires_at)
     SELECT '0' || lpad(to_hex(i), 51, '0'), 'c', 0, 's', 'a', 'production', 1, 2 FROM generate_series(1, ${ROWS}) AS i`,
  );
  await client.query("CHECKPOINT");
  expect(await logged(() => partitionTable(client, "access_tokens", NOW))).toBeLessThan(ROWS);
  const { rows } = await client.query("SELECT count(*)::int AS n FROM access_tokens_first");
  expect(rows).toEqual([{ n: ROWS }]);
  const bytes = await logged(async () =>
    expect((await keepPartitions(client, NOW + 5 * DAY)).dropped).toEqual(["access_tokens_first"]),
  );
  expect(bytes).toBeLessThan(ROWS);
  await client.end();
  await database.close();
  await server.stop();
}, 300_000);
