import { setImmediate as nextTurn } from "node:timers/promises";
import { findStoreUnavailable, sha256 } from "@gatehouse/auth";
import { eq, sql } from "drizzle-orm";
import pg from "pg";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import type { CacheName, CacheVersions } from "../cache/caches.ts";
import { type Database, openDatabase } from "../database.ts";
import { installation } from "../schema/postgres/index.ts";
import { createAuthStore } from "../stores/auth/store.ts";
import { NOW, seed } from "../testing/people.ts";
import { type PostgresServer, startPostgresServer } from "../testing/postgres-server.ts";
import { aFamily, aRotation } from "../testing/refresh-families.ts";
import { startTcpProxy } from "../testing/tcp-proxy.ts";
import { fatal } from "../testing/transaction-pooler.ts";

// A separate server: these tests stop it, exhaust its connections and cut its network.
let server: PostgresServer;
let url: string;
let database: Database;
const others: { end(): Promise<void> }[] = [];

beforeAll(async () => {
  server = await startPostgresServer();
  url = `${server.url}/postgres`;
  database = await openDatabase(url);
  await database.migrate();
});
afterAll(async () => {
  await database.close();
  await server.stop();
});
afterEach(async () => {
  for (const other of others.splice(0)) await other.end();
});

async function otherClient(address = url): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: address });
  client.on("error", () => {});
  await client.connect();
  others.push(client);
  return client;
}

const insert = (key: string, { db } = database) => db.insert(installation).values({ key, value: "1" }).execute();
const update = (key: string, value: string) =>
  database.db.update(installation).set({ value }).where(eq(installation.key, key));
const read = (key: string, { db } = database) =>
  db.select().from(installation).where(eq(installation.key, key)).execute();
const sleepSeconds = (seconds: number) =>
  database.db
    .select({ slept: sql<string>`pg_sleep(${seconds})::text` })
    .from(sql`(select 1) as once`)
    .execute();

/** Is this what becomes a 503 with `Retry-After`? */
async function expectUnavailable(asked: Promise<unknown>): Promise<void> {
  const outage = findStoreUnavailable(
    await asked.then(
      (value) => ({ answered: value }),
      (cause: unknown) => cause,
    ),
  );
  expect(outage?.retryAfterSeconds).toBeGreaterThanOrEqual(2);
  expect(outage?.retryAfterSeconds).toBeLessThanOrEqual(10);
}

/** Ends the server's processes that run a statement like this, once there is one. */
async function terminate(statement: string): Promise<void> {
  const client = await otherClient();
  const kill =
    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE query LIKE $1 AND pid <> pg_backend_pid() AND state = 'active'";
  while ((await client.query(kill, [statement])).rowCount === 0);
}

/** Waits until so many statements wait for another transaction. */
async function expectWaiting(client: pg.Client, count: number): Promise<void> {
  const waiting = "SELECT 1 FROM pg_locks WHERE NOT granted";
  await expect.poll(async () => (await client.query(waiting)).rowCount, { interval: 5, timeout: 20_000 }).toBe(count);
}

test("CO-44 DC-07: the deletion of a client does not wait for a refresh under way, whose tokens are dead", async () => {
  await seed(database.db);
  const store = createAuthStore(database.db);
  const grant = {
    grantId: "leaving",
    clientId: "shop-dev",
    userId: "ada",
    scope: "api:read",
    audience: "a",
    context: null,
  };
  const expiresAt = NOW + 600;
  const { grantId: id, clientId, userId, scope } = grant;
  const access = { id: "next", clientEpoch: 0, environment: "development" as const, hash: sha256("access") };
  const accessToken = { ...grant, ...access, issuedAt: NOW, expiresAt };
  await store.saveGrant({ id, clientId, userId, scope, sessionId: null, accessEpoch: 0, createdAt: NOW });
  await store.saveRefreshFamily(aFamily(id, { createdAt: NOW, expiresAt, currentHash: sha256("first") }));

  const other = await otherClient();
  await other.query("BEGIN");
  await other.query("SELECT 1 FROM refresh_families WHERE id = $1 FOR UPDATE", [id]);
  const refreshed = store.rotateRefreshFamily(
    id,
    aRotation("first", "second", { rotatedAt: NOW + 1, expiresAt }),
    accessToken,
  );
  await expectWaiting(other, 1);
  const { clients } = database.db.tables;
  await database.db.delete(clients).where(eq(clients.id, clientId));
  await other.query("COMMIT");

  expect(await refreshed).toBe(true);
  expect(await store.findRefreshFamily(id)).toBeUndefined();
  expect(await store.findAccessToken(accessToken.hash)).toMatchObject({ clientEnabled: false, grantRevokedAt: 0 });
});

describe("PostgreSQL that cannot serve, OP-26 OP-28 OP-29 OP-30", () => {
  test("OP-26 every connection carries its limits from the start", async () => {
    if (database.engine.dialect !== "postgres") throw new Error("expected PostgreSQL");
    const names = ["statement_timeout", "lock_timeout", "idle_in_transaction_session_timeout"];
    const { pool } = database.engine;
    const shown = await Promise.all(
      names.map(async (name) => Object.values((await pool.query(`SHOW ${name}`)).rows[0])[0]),
    );
    expect(shown).toEqual(["5s", "2s", "10s"]);
    expect(pool.options).toMatchObject({ max: 10, connectionTimeoutMillis: 3000, query_timeout: 6000 });
  });

  test("while the server is down everything is unavailable at once, and works again when it is back", async () => {
    await insert("before");
    await server.shutDown();
    await expectUnavailable(read("before"));
    await expectUnavailable(insert("while down"));
    await expectUnavailable(database.db.transaction([installationInsert("a"), installationInsert("b")]));
    await server.start();
    expect(await read("before")).toHaveLength(1);
    expect(await read("a")).toEqual([]);
    await insert("after");
  });

  test("during a restart a request is answered or told when to retry, and acknowledged writes are kept", async () => {
    const acknowledged: string[] = [];
    let stopping = false;
    const callers = Array.from({ length: 8 }, async (_, caller) => {
      for (let turn = 0; !stopping; turn++) {
        const key = `restart ${caller} ${turn}`;
        try {
          await Promise.all([read(key), insert(key)]);
          acknowledged.push(key);
        } catch (cause) {
          if (!findStoreUnavailable(cause)) throw cause;
          await new Promise((resolve) => setTimeout(resolve, 20));
        }
      }
    });
    while (acknowledged.length < 100) await new Promise((resolve) => setTimeout(resolve, 5));
    await server.shutDown();
    await server.start();
    const sofar = acknowledged.length;
    while (acknowledged.length < sofar + 100) await new Promise((resolve) => setTimeout(resolve, 5));
    stopping = true;
    await Promise.all(callers);
    const kept = new Set((await database.db.select().from(installation)).map(({ key }) => key));
    expect(acknowledged.filter((key) => !kept.has(key))).toEqual([]);
  });

  test("every cache is emptied after a restart, and after a crash of the server, when it can use transaction ids again", async () => {
    const versions = async () => {
      await nextTurn();
      return (await database.db.versions.read()) as CacheVersions;
    };
    const epoch = async () => (await (await otherClient()).query("SELECT id FROM cache_epoch")).rows[0]?.id;
    const cold = await versions();
    expect(await versions()).toBe(cold);
    await server.shutDown();
    await server.start();
    const restarted = await versions();
    for (const cache of Object.keys(cold) as CacheName[]) expect(restarted[cache]).not.toBe(cold[cache]);

    const before = await epoch();
    const { rows } = await (await otherClient()).query("SELECT pg_backend_pid() AS pid");
    process.kill(rows[0].pid, "SIGKILL");
    await expect.poll(() => epoch().catch(() => before), { timeout: 20_000 }).not.toBe(before);
    const recovered = await versions();
    for (const cache of Object.keys(cold) as CacheName[]) expect(recovered[cache]).not.toBe(restarted[cache]);
  });

  test("OP-28 a read whose connection is lost is retried once; a write is not, since it may have taken effect", async () => {
    const reading = sleepSeconds(2);
    await terminate("select pg_sleep%");
    expect(await reading).toHaveLength(1);

    const locker = await otherClient();
    await insert("cut");
    await locker.query("BEGIN");
    await locker.query("SELECT * FROM installation WHERE key = 'cut' FOR UPDATE");
    const writing = expectUnavailable(update("cut", "2").execute());
    await terminate('update "installation"%');
    await writing;
  });

  test("OP-28 a transaction whose connection is lost is rolled back, and the process survives", async () => {
    const locker = await otherClient();
    await insert("locked");
    await locker.query("BEGIN");
    await locker.query("SELECT * FROM installation WHERE key = 'locked' FOR UPDATE");
    const outcome = expectUnavailable(database.db.transaction([installationInsert("half"), update("locked", "2")]));
    await terminate('update "installation"%');
    await outcome;
    expect(await read("half")).toEqual([]);
  });

  test("OP-26 a locked table makes writes unavailable after the lock timeout, but not reads", async () => {
    const locker = await otherClient();
    await locker.query("BEGIN");
    await locker.query("LOCK TABLE installation IN SHARE MODE");
    const writing = expectUnavailable(insert("locked out"));
    expect(await read("before")).toHaveLength(1);
    await writing;
    await locker.query("ROLLBACK");
    await insert("locked out");
  });

  test("OP-30 an internal error of the server, as on a full disk, makes requests unavailable", async () => {
    const client = await otherClient();
    await client.query(`
      CREATE FUNCTION fail_inside() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN RAISE EXCEPTION 'could not write init file' USING ERRCODE = 'XX000'; END $$;
      CREATE TRIGGER fail_inside BEFORE INSERT ON installation FOR EACH ROW WHEN (NEW.key = 'inside') EXECUTE FUNCTION fail_inside();`);
    await expectUnavailable(insert("inside"));
    await client.query("DROP TRIGGER fail_inside ON installation; DROP FUNCTION fail_inside");
  });

  test("OP-29 a transaction that the server aborted in favor of another is retried, three times at most", async () => {
    const client = await otherClient();
    await client.query(`
      CREATE SEQUENCE aborts;
      CREATE FUNCTION abort_some() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        IF nextval('aborts') <= NEW.value::int THEN RAISE EXCEPTION 'conflict' USING ERRCODE = '40001'; END IF;
        RETURN NEW;
      END $$;
      CREATE TRIGGER abort_some BEFORE INSERT ON installation FOR EACH ROW WHEN (NEW.key LIKE 'aborted%') EXECUTE FUNCTION abort_some();`);
    const abortedInsert = (key: string, times: number) =>
      database.db.insert(installation).values({ key: `aborted ${key}`, value: String(times) });

    await abortedInsert("alone", 3);
    await client.query("SELECT setval('aborts', 1, false)");
    await database.db.transaction([installationInsert("beside"), abortedInsert("together", 3)]);
    expect(await read("beside")).toHaveLength(1);
    await client.query("SELECT setval('aborts', 1, false)");
    await expectUnavailable(abortedInsert("too often", 4).execute());
    await client.query("DROP TRIGGER abort_some ON installation; DROP FUNCTION abort_some; DROP SEQUENCE aborts");
  });

  test("OP-28 a server without a free connection makes requests unavailable until it has one", async () => {
    await (await otherClient()).query(
      "CREATE ROLE starved LOGIN CONNECTION LIMIT 1; GRANT ALL ON ALL TABLES IN SCHEMA public TO starved",
    );
    const address = url.replace("gatehouse@", "starved@");
    const starved = await openDatabase(address);
    const taken = await otherClient(address);
    await expectUnavailable(read("before", starved));
    await taken.end();
    await expect
      .poll(() =>
        read("before", starved).then(
          ({ length }) => length,
          () => 0,
        ),
      )
      .toBe(1);
    await starved.close();
  });

  test("OP-26 a connection without answers is destroyed after six seconds, and the next one works", async () => {
    const proxy = await startTcpProxy(Number(new URL(url).port));
    const behind = await openDatabase(url.replace(/:\d+\//, `:${proxy.port}/`), { maxConnections: 1 });
    await insert("through the proxy", behind);
    proxy.swallow(true);
    await expectUnavailable(insert("swallowed", behind));
    await expect.poll(() => proxy.open()).toBe(0);
    proxy.swallow(false);
    expect(await read("through the proxy", behind)).toHaveLength(1);
    await behind.close();
    await proxy.stop();
  });

  test("OP-26 behind a pooler that rejects the limits as parameters, migrating sets them for the account", async () => {
    const sent: boolean[] = [];
    const proxy = await startTcpProxy(Number(new URL(url).port), (first) => {
      sent.push(first.includes("statement_timeout"));
      return sent.at(-1) ? fatal("08P01", "unsupported startup parameter: statement_timeout") : undefined;
    });
    const pooled = await openDatabase(url.replace(/:\d+\//, `:${proxy.port}/`));
    await pooled.migrate();
    expect(await read("before", pooled)).toHaveLength(1);
    expect(sent.filter(Boolean)).toHaveLength(1);
    expect((await (await otherClient()).query("SHOW statement_timeout")).rows).toEqual([{ statement_timeout: "5s" }]);
    await pooled.close();
    await proxy.stop();
  });
});

const installationInsert = (key: string) => database.db.insert(installation).values({ key, value: "1" });
