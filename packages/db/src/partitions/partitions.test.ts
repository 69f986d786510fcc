import { randomBytes } from "node:crypto";
import { type Hash, mintAccessToken, type NewAccessToken, timeOrderedIdsFrom } from "@gatehouse/auth";
import { deliveryIdsFrom } from "@gatehouse/webhooks";
import { count } from "drizzle-orm";
import type { PgTable } from "drizzle-orm/pg-core";
import pg from "pg";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { migratePostgres } from "../migrations/postgres.ts";
import type { Migration, Series } from "../migrations/read.ts";
import { SCHEMA_LOCK } from "../postgres/change-schema.ts";
import { createAuthStore } from "../stores/auth/store.ts";
import { sweepInbox } from "../stores/webhooks/inbox-retention.ts";
import { sweepLag } from "../sweep/lag.ts";
import { sweep } from "../sweep/sweep.ts";
import { engines, type TestDatabase } from "../testing/engines.ts";
import { NOW, seed } from "../testing/people.ts";
import { listPartitions, readPartitions } from "./catalog.ts";
import { partitionTable, planPartitions } from "./convert.ts";
import { partitionFacts } from "./facts.ts";
import { keepPartitions } from "./keep.ts";
import { listPending } from "./pending.ts";
import { partitionTables } from "./run.ts";
import { PARTITIONED_NAMES, type PartitionedName } from "./tables.ts";

const HOUR = 3_600;
const DAY = 24 * HOUR;
/** The first partition has every key before this time. */
const FIRST_ENDS = NOW - (NOW % DAY) + 4 * DAY;

const [engine] = engines.filter(({ name }) => name === "postgres");

describe("OP-35: partitions on PostgreSQL", () => {
  let database: TestDatabase;
  const clients: pg.Client[] = [];
  beforeEach(async () => {
    database = (await engine?.open({ fresh: true })) as TestDatabase;
    await seed(database.db);
  });
  afterEach(async () => {
    await Promise.all(clients.splice(0).map((client) => client.end()));
    await database.close();
  });

  async function connect(user?: string): Promise<pg.Client> {
    const url = new URL(database.url);
    if (user) url.username = user;
    const client = new pg.Client({ connectionString: url.href });
    await client.connect();
    clients.push(client);
    return client;
  }
  const rowsOf = async (table: PgTable | string) => {
    if (typeof table !== "string") return (await database.db.select({ n: count() }).from(table))[0]?.n;
    return Number((await (await connect()).query(`SELECT count(*) AS n FROM "${table}"`)).rows[0].n);
  };
  async function token(expiresAt: number): Promise<Hash> {
    const { hash } = mintAccessToken(expiresAt, randomBytes);
    const client = {
      grantId: null,
      userId: null,
      clientId: "shop-dev",
      clientEpoch: 0,
      environment: "development",
    } as const;
    const row = {
      ...client,
      hash,
      id: hash.slice(-43, -21),
      scope: "s",
      audience: "a",
      context: null,
      issuedAt: NOW,
      expiresAt,
    };
    await createAuthStore(database.db).saveAccessToken(row as NewAccessToken);
    return hash;
  }
  const isFound = async (hash: Hash) => (await createAuthStore(database.db).findAccessToken(hash)) !== undefined;
  async function partitionAll(): Promise<pg.Client> {
    const client = await connect();
    for (const table of PARTITIONED_NAMES) await partitionTable(client, table, NOW);
    return client;
  }
  const partitionsOf = async (client: pg.Client, table: PartitionedName) =>
    (await listPartitions(client)).find((one) => one.table === table)?.partitions.map(({ name }) => name) ?? [];

  test("a table becomes its own first partition while servers use it, and nothing is lost or refused", async () => {
    const old = await token(NOW + 60);
    const hashes: Hash[] = [];
    let done = false;
    const servers = Array.from({ length: 4 }, async () => {
      while (!done) {
        const hash = await token(NOW + 600);
        expect(await isFound(hash)).toBe(true);
        hashes.push(hash);
      }
    });
    const client = await connect();
    const before = await describeTable(client, "access_tokens");
    expect(await partitionTable(client, "access_tokens", NOW)).toBe(true);
    await token(NOW + 600);
    done = true;
    await Promise.all(servers);
    expect(await rowsOf("access_tokens")).toBe(hashes.length + 2);
    expect(await rowsOf("access_tokens_first")).toBe(hashes.length + 2);
    expect(await isFound(old)).toBe(true);
    expect(await describeTable(client, "access_tokens")).toEqual(before);
    expect(await partitionTable(client, "access_tokens", NOW)).toBe(false);
  });

  test("a command that waited while another one finished leaves nothing behind that could refuse rows", async () => {
    const [first, second] = [await connect(), await connect()];
    const before = await describeTable(first, "authorization_codes");
    await first.query("SELECT pg_advisory_lock($1)", [SCHEMA_LOCK]);
    const waiting = partitionTable(second, "authorization_codes", NOW);
    const waits =
      "SELECT count(*)::int AS n FROM pg_locks WHERE locktype = 'advisory' AND NOT granted AND database = (SELECT oid FROM pg_database WHERE datname = current_database())";
    await expect.poll(async () => (await first.query(waits)).rows[0].n).toBe(1);
    expect(await partitionTable(first, "authorization_codes", NOW)).toBe(true);
    await first.query("SELECT pg_advisory_unlock($1)", [SCHEMA_LOCK]);
    expect(await waiting).toBe(false);
    expect(await describeTable(first, "authorization_codes")).toEqual(before);
  });

  test("two commands at once are as one, and a table has the indexes, triggers and privileges that it had", async () => {
    const client = await connect();
    await client.query(
      "DO $$ BEGIN CREATE ROLE partition_reader; EXCEPTION WHEN duplicate_object THEN NULL; END $$; GRANT SELECT ON access_tokens TO partition_reader; GRANT UPDATE (body) ON webhook_deliveries TO partition_reader",
    );
    const before = await describeAll(client);
    const both = await Promise.all([1, 2].map(() => partitionTables(database.url, PARTITIONED_NAMES, () => {})));
    expect(both.flatMap(({ partitioned }) => partitioned).toSorted()).toEqual([...PARTITIONED_NAMES].toSorted());
    expect(both.flatMap(({ kept }) => kept.problems)).toEqual([]);
    expect(await listPartitions(client)).toHaveLength(3);
    expect(await describeAll(client)).toEqual(before);
    const { rows } = await client.query("SELECT relname, reloptions FROM pg_class WHERE relname = ANY($1) ORDER BY 1", [
      ["authorization_codes_default", "webhook_deliveries_default"],
    ]);
    expect(rows.map(({ reloptions }) => reloptions)).toEqual([["fillfactor=80"], ["toast_tuple_target=8160"]]);
    await client.query("DROP OWNED BY partition_reader");
  });

  test("partitions are there before they are needed, get the rows of their time, and are dropped with the last one", async () => {
    const client = await partitionAll();
    const { db, reads } = database;
    const at = FIRST_ENDS - HOUR;
    const kept = await keepPartitions(client, at);
    expect(kept.problems).toEqual([]);
    expect(kept.added).toEqual(expect.arrayContaining(["access_tokens_2027011900", "authorization_codes_2027011900"]));
    expect(await keepPartitions(client, at)).toMatchObject({ added: [], dropped: [] });
    const early = await token(FIRST_ENDS - 1);
    const late = await token(FIRST_ENDS + 1);
    expect([await rowsOf("access_tokens_first"), await rowsOf("access_tokens_2027011900")]).toEqual([1, 1]);

    // An expired token is kept for an hour.
    expect((await keepPartitions(client, FIRST_ENDS + HOUR - 1)).dropped).not.toContain("access_tokens_first");
    expect((await keepPartitions(client, FIRST_ENDS + HOUR + 1)).dropped).toEqual(["access_tokens_first"]);
    expect([await isFound(early), await isFound(late)]).toEqual([false, true]);
    expect((await partitionsOf(client, "access_tokens")).length).toBeLessThanOrEqual(6);

    // Rows of a partition are none of the sweeper's, and are not late before their partition is.
    const end = FIRST_ENDS + 2 * HOUR - 1;
    await sweep(db, end);
    expect(await isFound(late)).toBe(true);
    const partitioned = await readPartitions(db, reads);
    expect(await sweepLag(reads, end, partitioned)).toMatchObject({ access_tokens: 0 });
    expect(await sweepLag(reads, end + 3 * HOUR, partitioned)).toMatchObject({ access_tokens: 3 * HOUR - 1 });
    expect((await keepPartitions(client, end + 1)).dropped).toEqual(["access_tokens_2027011900"]);
  });

  test("the sweeper deletes what is dead in the first partition, and rows of a clock that is behind", async () => {
    const client = await partitionAll();
    const { db } = database;
    await token(NOW - 2 * HOUR);
    const live = await token(NOW + 60);
    await sweep(db, NOW);
    expect([await rowsOf("access_tokens"), await isFound(live)]).toEqual([1, true]);
    const later = FIRST_ENDS + 2 * HOUR;
    await keepPartitions(client, later);
    await token(NOW); // days ago by now
    expect(await rowsOf("access_tokens_default")).toBe(1);
    await sweep(db, later);
    expect(await rowsOf("access_tokens_default")).toBe(0);
  });

  test("a row of a clock that is ahead is stored, reported, and moved when its partition is made", async () => {
    const client = await partitionAll();
    const { db, reads } = database;
    const factsOf = async (now: number) =>
      (await partitionFacts(db, reads, await readPartitions(db, reads), now)).find(
        ({ table }) => table === "access_tokens",
      );
    await keepPartitions(client, NOW);
    expect(await factsOf(NOW)).toEqual({ table: "access_tokens", ahead: 2, strayRows: 0 });
    const stray = await token(NOW + 30 * DAY);
    expect(await isFound(stray)).toBe(true);
    expect(await factsOf(NOW)).toEqual({ table: "access_tokens", ahead: 2, strayRows: 1 });
    const later = NOW + 30 * DAY - 100;
    expect((await keepPartitions(client, later)).problems).toEqual([]);
    expect(await factsOf(later)).toEqual({ table: "access_tokens", ahead: 2, strayRows: 0 });
    expect(await isFound(stray)).toBe(true);
    expect(await factsOf(later + 30 * DAY)).toMatchObject({ ahead: 0 });
  });

  test("a client whose tokens live for a day makes partitions wider and reach further", async () => {
    const client = await partitionAll();
    await client.query("UPDATE clients SET options = '{\"accessTokenSeconds\":86400}' WHERE id = 'shop-dev'");
    await keepPartitions(client, FIRST_ENDS + 2 * HOUR);
    expect(await partitionsOf(client, "access_tokens")).toEqual(
      ["2027011900", "2027011906", "2027011912", "2027011918", "2027012000", "2027012006", "2027012012"].map(
        (hour) => `access_tokens_${hour}`,
      ),
    );
    await token(FIRST_ENDS + 2 * HOUR + DAY);
    expect(await rowsOf("access_tokens_default")).toBe(0);
  });

  test("codes are redeemed once, whichever partition they are in", async () => {
    const client = await partitionAll();
    await keepPartitions(client, FIRST_ENDS + HOUR);
    const store = createAuthStore(database.db);
    const [first, second] = ["x", "y"].map((end) => `${timeOrderedIdsFrom(FIRST_ENDS + 60)}${end.repeat(46)}` as Hash);
    for (const hash of [first, second] as Hash[])
      await store.saveCode({
        hash,
        grantId: "g",
        clientId: "shop-dev",
        userId: "ada",
        redirectUri: "x",
        codeChallenge: "x",
        scope: "s",
        audience: null,
        authTime: NOW,
        context: null,
        createdAt: NOW,
        expiresAt: FIRST_ENDS + 120,
      });
    const bought = () => ({
      accessToken: { ...NEW_TOKEN, ...mintAccessToken(FIRST_ENDS + 700, randomBytes) },
      refreshFamily: undefined,
    });
    const redeem = (hash: Hash) => store.redeemCode(hash, FIRST_ENDS + 61, bought());
    const results = await Promise.all([first, second, first, second, first].map((hash) => redeem(hash as Hash)));
    expect(results.filter(Boolean)).toHaveLength(2);
    expect(await rowsOf("authorization_codes_2027011900")).toBe(2);
    expect(await rowsOf(database.db.tables.accessTokens)).toBe(2);
    expect((await keepPartitions(client, FIRST_ENDS + 2 * DAY + 61)).dropped).toContain(
      "authorization_codes_2027011900",
    );
  });

  test("deliveries are dropped after their days, and their attempts are deleted", async () => {
    const client = await partitionAll();
    const { db } = database;
    const { webhookDeliveries, webhookAttempts } = db.tables;
    const id = `${deliveryIdsFrom(FIRST_ENDS + DAY)}-7000-8000-000000000001`;
    await keepPartitions(client, FIRST_ENDS);
    await db.insert(webhookDeliveries).values({ ...DELIVERY, id, receivedAt: FIRST_ENDS + DAY });
    await db.insert(webhookAttempts).values({ ...ATTEMPT, id: "a", deliveryId: id });
    const later = FIRST_ENDS + 140 * DAY;
    await sweepInbox(db, later, { bodyDays: 3, maxBytes: 1e9 });
    expect([await rowsOf(webhookDeliveries), await rowsOf(webhookAttempts)]).toEqual([1, 0]);
    expect((await keepPartitions(client, later)).problems).toEqual([]);
    expect(await rowsOf(webhookDeliveries)).toBe(0);
  });

  test("a command that was ended is continued by the next one, and hinders nobody if there is none", async () => {
    const client = await connect();
    const check = () => client.query((statements[0] ?? "") as string);
    const { statements } = await planPartitions(client, "access_tokens", NOW);
    await check();
    expect(await listPending(client)).toMatchObject([{ table: "access_tokens", validated: false }]);
    expect((await planPartitions(client, "access_tokens", NOW + HOUR)).statements).toEqual(statements);
    expect(await partitionTable(client, "access_tokens", NOW + HOUR)).toBe(true);
    expect(await listPending(client)).toEqual([]);

    const codes = await planPartitions(client, "authorization_codes", NOW);
    await client.query(codes.statements[0] ?? "");
    await client.query(codes.statements[1] ?? "");
    await keepPartitions(client, NOW + DAY);
    expect(await listPending(client)).toHaveLength(1);
    await keepPartitions(client, NOW + 3 * DAY); // before a code could be refused
    expect(await listPending(client)).toEqual([]);
    expect(await partitionTable(client, "authorization_codes", NOW + 3 * DAY)).toBe(true);
  });

  test("a table that something refers to, or with rows of a clock that was days ahead, stays as it is", async () => {
    const client = await connect();
    const before = await describeTable(client, "access_tokens");
    for (const [sql, reason, undo] of [
      ["CREATE VIEW mine AS SELECT hash FROM access_tokens", /view mine reads it/, "DROP VIEW mine"],
      ["CREATE TABLE mine (h text REFERENCES access_tokens)", /foreign key mine_h_fkey of mine/, "DROP TABLE mine"],
      ["CREATE PUBLICATION mine FOR TABLE access_tokens", /publication mine/, "DROP PUBLICATION mine"],
      [SECURE, /row security/, SECURE.replace("ENABLE", "DISABLE")],
    ] as const) {
      await client.query(sql);
      expect((await planPartitions(client, "access_tokens", NOW)).obstacles).toEqual([expect.stringMatching(reason)]);
      await expect(partitionTable(client, "access_tokens", NOW)).rejects.toThrow(reason);
      await client.query(undo);
    }
    await token(NOW + 10 * DAY);
    await expect(partitionTable(client, "access_tokens", NOW)).rejects.toThrow(/clock that was days ahead/);
    expect(await describeTable(client, "access_tokens")).toEqual(before);
    expect(await listPending(client)).toEqual([]);
  });

  test("a reader that holds the table delays a drop to a later turn, and no other reader", async () => {
    const client = await partitionAll();
    const at = FIRST_ENDS + HOUR + 1;
    await keepPartitions(client, FIRST_ENDS);
    const live = await token(at + 60);
    const reader = await connect();
    await reader.query("BEGIN; LOCK TABLE access_tokens IN ACCESS SHARE MODE");
    const { dropped, problems } = await keepPartitions(client, at);
    expect(dropped).not.toContain("access_tokens_first");
    expect(problems).toContain("access_tokens_first: somebody holds a lock on it; the next turn tries again");
    expect(await isFound(live)).toBe(true);
    await reader.query("COMMIT");
    expect((await keepPartitions(client, at)).dropped).toEqual(["access_tokens_first"]);
  });

  test("OP-63 a migration builds its index on each partition, and continues where it was ended", async () => {
    const client = await partitionAll();
    await token(NOW + 60);
    const text = 'CREATE INDEX CONCURRENTLY "access_tokens_issued_at" ON "access_tokens" ("issued_at")';
    await client.query('CREATE INDEX "access_tokens_issued_at" ON ONLY "access_tokens" ("issued_at")'); // ended here
    await keepPartitions(client, FIRST_ENDS);
    expect(await migratePostgres(await connect(), [seriesOf(text)], { pauseMs: 5 })).toEqual(["0001_index"]);
    const { rows } = await client.query(
      `SELECT count(*)::int AS parts, bool_and(i.indisvalid) AS valid, (SELECT indisvalid FROM pg_index WHERE indexrelid = 'access_tokens_issued_at'::regclass) AS whole
       FROM pg_inherits h JOIN pg_index i ON i.indexrelid = h.inhrelid WHERE h.inhparent = 'access_tokens_issued_at'::regclass`,
    );
    expect(rows).toEqual([
      { parts: (await partitionsOf(client, "access_tokens")).length + 1, valid: true, whole: true },
    ]);
    expect((await keepPartitions(client, FIRST_ENDS + DAY)).problems).toEqual([]);
  });

  test("OP-100 an account without the tables serves them, sees what is missing, and changes nothing", async () => {
    const owner = await partitionAll();
    const role = "partition_app";
    await owner.query(
      `DO $$ BEGIN CREATE ROLE ${role} LOGIN; EXCEPTION WHEN duplicate_object THEN NULL; END $$;
       GRANT SELECT, INSERT, UPDATE, DELETE ON access_tokens TO ${role}`,
    );
    const app = await connect(role);
    const kept = await keepPartitions(app, NOW);
    expect(kept).toEqual({ added: [], dropped: [], problems: [], unowned: [...PARTITIONED_NAMES] });
    await keepPartitions(owner, FIRST_ENDS);
    await app.query(
      `INSERT INTO access_tokens (hash, client_id, client_epoch, scope, audience, environment, issued_at, expires_at)
       VALUES ($1, 'shop-dev', 0, 's', 'a', 'development', 1, 1)`,
      [`${timeOrderedIdsFrom(FIRST_ENDS + 60)}x`],
    );
    expect((await app.query("DELETE FROM access_tokens")).rowCount).toBe(1);
    await owner.query(`DROP OWNED BY ${role}`);
  });
});

const SECURE = "ALTER TABLE access_tokens ENABLE ROW LEVEL SECURITY";

async function describeAll(client: pg.Client) {
  const all: unknown[] = [];
  for (const table of PARTITIONED_NAMES) all.push(await describeTable(client, table));
  return all;
}

/** What a server and a migration know of a table. */
async function describeTable(client: pg.Client, table: string) {
  const { rows } = await client.query(
    `SELECT array(SELECT attname || ' ' || format_type(atttypid, atttypmod) || ' ' || attnotnull || ' ' || attcollation::regcollation::text
         || ' ' || coalesce(pg_get_expr(adbin, adrelid), '') || coalesce(attacl::text, '')
         FROM pg_attribute LEFT JOIN pg_attrdef ON adrelid = attrelid AND adnum = attnum
         WHERE attrelid = c.oid AND attnum > 0 ORDER BY attnum) AS columns,
       array(SELECT replace(pg_get_indexdef(indexrelid), 'ON ONLY', 'ON') FROM pg_index WHERE indrelid = c.oid ORDER BY 1) AS indexes,
       array(SELECT conname || ' ' || pg_get_constraintdef(oid) FROM pg_constraint WHERE conrelid = c.oid AND contype <> 'n' ORDER BY 1) AS constraints,
       array(SELECT pg_get_triggerdef(oid) FROM pg_trigger WHERE tgrelid = c.oid AND NOT tgisinternal ORDER BY 1) AS triggers,
       c.relowner::regrole::text AS owner, c.relacl::text AS acl
     FROM pg_class c WHERE oid = $1::regclass`,
    [table],
  );
  return rows[0];
}

function seriesOf(sql: string): Series {
  const migration = {
    name: "0001_index",
    hash: "h",
    minProgram: null,
    phase: "expand",
    additive: true,
    statements: [sql],
  };
  return { ledger: "later_migrations", migrations: [migration as Migration] } as Series;
}

const NEW_TOKEN = {
  id: "id",
  grantId: "g",
  clientId: "shop-dev",
  clientEpoch: 0,
  userId: "ada",
  scope: "s",
  audience: "a",
  context: null,
  environment: "development",
  issuedAt: NOW,
  expiresAt: FIRST_ENDS + 700,
} as const;

const DELIVERY = {
  endpoint: "stripe",
  environment: "production",
  source: "http",
  method: "POST",
  outcome: "accepted",
  reason: "accepted",
  status: 200,
  headers: {},
  body: null,
  ackMs: 1,
} as const;

const ATTEMPT = {
  endpoint: "stripe",
  eventKey: Buffer.from("k"),
  handler: "h",
  trigger: "automatic",
  startedAt: 1,
  ms: 1,
  outcome: "ok",
} as const;
