import { sha256 } from "@gatehouse/auth";
import pg from "pg";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type Database, type OpenOptions, openDatabase } from "../database.ts";
import { createAuthStore } from "../stores/auth/store.ts";
import { createRateLimiter } from "../stores/rate-limits/rate-limiter.ts";
import { engines, type TestDatabase } from "../testing/engines.ts";
import { NOW, seed } from "../testing/people.ts";
import { pgBouncerVersion, startPgBouncer } from "../testing/pgbouncer.ts";
import { aFamily, aRotation } from "../testing/refresh-families.ts";
import { startTcpProxy } from "../testing/tcp-proxy.ts";
import { fatal, type Pooler, startTransactionPooler } from "../testing/transaction-pooler.ts";

const CALLERS = 12;
const all = <Value>(run: (caller: number) => Promise<Value>) =>
  Promise.all(Array.from({ length: CALLERS }, (_, caller) => run(caller)));

let direct: TestDatabase;
let warnings: string[];
const closing: (() => Promise<unknown>)[] = [];

async function openDirect(options: { fresh?: boolean } = {}): Promise<void> {
  const postgres = engines.find(({ name }) => name === "postgres");
  if (!postgres) throw new Error("expected PostgreSQL");
  direct = await postgres.open(options);
  warnings = [];
}

afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
  await direct.close();
});

async function behind(start: (url: string) => Promise<Pooler>): Promise<string> {
  const pooler = await start(direct.url);
  closing.push(() => pooler.stop());
  return pooler.url;
}

async function openHere(url: string, options: OpenOptions = {}): Promise<Database> {
  const database = await openDatabase(url, { ...options, warn: (message) => warnings.push(message) });
  closing.push(() => database.close());
  return database;
}

async function ask(url: string, sql: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: Object.assign(new URL(url), { search: "" }).href });
  await client.connect();
  try {
    return (await client.query(sql)).rows;
  } finally {
    await client.end();
  }
}

const empty = () => ask(direct.url, "DROP SCHEMA public CASCADE; CREATE SCHEMA public");
const directUrl = () => Object.assign(new URL(direct.url), { search: "" }).href;

/**
 * Tokens by lookups, batches, spends and transactions, and the limits of sign-in: every way in which statements are
 * sent.
 */
async function useEverything({ db, background, engine, reads }: Database): Promise<void> {
  const store = createAuthStore(db);
  const grant = { clientId: "shop-dev", userId: "ada", scope: "api:read" };
  const common = { scope: "api:read", audience: "a", context: null, expiresAt: NOW + 600 };
  const family = (caller: number) =>
    aFamily(`grant ${caller}`, { createdAt: NOW, expiresAt: NOW + 600, currentHash: sha256(`first ${caller}`) });
  await all((caller) =>
    store.saveGrant({ ...grant, id: `grant ${caller}`, sessionId: null, accessEpoch: 0, createdAt: NOW }),
  );
  await all((caller) => store.saveRefreshFamily(family(caller)));
  const rotated = await all(async (caller) => {
    const token = { ...common, ...grant, grantId: `grant ${caller}`, hash: sha256(`access ${caller}`), issuedAt: NOW };
    const accessToken = { ...token, id: `access ${caller}`, clientEpoch: 0, environment: "development" as const };
    const rotation = aRotation(`first ${caller}`, `second ${caller}`, { rotatedAt: NOW, expiresAt: NOW + 600 });
    const once = () => store.rotateRefreshFamily(`grant ${caller}`, rotation, accessToken);
    return [await once(), await once()];
  });
  expect(rotated).toEqual(rotated.map(() => [true, false]));
  const found = await all((caller) => store.findRefreshFamily(`grant ${caller}`));
  expect(found.map((row) => row?.currentHash)).toEqual(found.map((_, caller) => sha256(`second ${caller}`)));

  const limiter = createRateLimiter({ engine }, { name: "sign-in", failures: 10, windowSeconds: 600 });
  const waits = await all(() => limiter.attempt("address" as never));
  expect(waits.filter((seconds) => seconds === 0)).toHaveLength(10);

  const { installation, grants } = db.tables;
  const insert = (key: string) => db.insert(installation).values({ key, value: "1" });
  await all((caller) => background.transaction([insert(`first ${caller}`), insert(`second ${caller}`)]));
  expect(await reads.select().from(installation)).toHaveLength(2 * CALLERS);
  expect((await all(() => reads.select().from(grants))).map(({ length }) => length)).toEqual(
    Array(CALLERS).fill(CALLERS),
  );
}

describe.each([
  ["that prefers the connection used last", true, (url: string) => startTransactionPooler(url, { size: 3 })],
  ["that takes turns", true, (url: string) => startTransactionPooler(url, { size: 3, choose: "in turns" })],
  ["with a single connection", true, (url: string) => startTransactionPooler(url, { size: 1 })],
  ["of PgBouncer", pgBouncerVersion !== undefined, (url: string) => startPgBouncer(url)],
] as const)("a pooler in transaction mode, %s", (_, isInstalled, start) => {
  beforeEach(() => openDirect());

  test("OP-27 finds out before the first statement, warns once, and everything works", async ({ skip }) => {
    skip(!isInstalled, "pgbouncer is not installed");
    const database = await openHere(await behind(start));
    expect(await database.schema()).toMatchObject({ kind: "current" });
    await seed(database.db);
    await useEverything(database);
    expect(warnings).toEqual([expect.stringMatching(/max_prepared_statements.*DATABASE_PREPARE=off/)]);
  });

  test("OP-27 falls back at a name that is lost later, and a process that starts under load serves every request", async ({
    skip,
  }) => {
    skip(!isInstalled, "pgbouncer is not installed");
    const url = await behind(start);
    await seed(direct.db);
    await useEverything(await openHere(url, { preparing: "on" }));
    expect(warnings).toHaveLength(1);
  });

  test("OP-27 with names off, none is sent and nothing is warned about", async ({ skip }) => {
    skip(!isInstalled, "pgbouncer is not installed");
    const url = await behind(start);
    await seed(direct.db);
    await useEverything(await openHere(url, { preparing: "off" }));
    expect(await ask(url, "SELECT name FROM pg_prepared_statements")).toEqual([]);
    expect(warnings).toEqual([]);
  });
});

describe("PgBouncer", () => {
  beforeEach(() => openDirect());

  test("OP-27 in session mode names are kept", async ({ skip }) => {
    skip(pgBouncerVersion === undefined, "pgbouncer is not installed");
    await seed(direct.db);
    const url = await behind((address) => startPgBouncer(address, { mode: "session", size: 20 }));
    await useEverything(await openHere(url));
    expect(warnings).toEqual([]);
  });

  test("OP-27 in statement mode the start says that it cannot be used", async ({ skip }) => {
    skip(pgBouncerVersion === undefined, "pgbouncer is not installed");
    const url = await behind((address) => startPgBouncer(address, { mode: "statement" }));
    await expect((await openHere(url)).schema()).rejects.toThrow(
      /DATABASE_URL \(127\.0\.0\.1:\d+\) cannot be used: .*statement pooling/,
    );
  });
});

describe("on a direct connection", () => {
  beforeEach(() => openDirect());

  const lookUp = (database: Database) => createAuthStore(database.db).findRefreshFamily("unknown");
  const poolOf = ({ engine }: Database) => {
    if (engine.dialect !== "postgres") throw new Error("expected PostgreSQL");
    return engine.pool;
  };
  const kept = async (database: Database) =>
    (await poolOf(database).query("SELECT name FROM pg_prepared_statements")).rows;

  test("OP-27 statements keep their names", async () => {
    const database = await openHere(directUrl(), { maxConnections: 1 });
    await lookUp(database);
    expect(await kept(database)).toContainEqual({ name: expect.stringMatching(/^find_refresh_family\S* [\w-]{12}$/) });
    expect(warnings).toEqual([]);
  });

  test("OP-27 statements that lose their names at the same time are all answered, and take effect once", async () => {
    const database = await openHere(directUrl(), { maxConnections: 4 });
    const limiter = createRateLimiter(database, { name: "sign-in", failures: 10, windowSeconds: 600 });
    const attempt = () => limiter.attempt("address" as never);
    await all(attempt);
    const clients = await Promise.all(Array.from({ length: 4 }, () => poolOf(database).connect()));
    for (const client of clients) await client.query("DEALLOCATE ALL");
    for (const client of clients) client.release();
    await all(attempt);
    expect(await ask(direct.url, "SELECT points FROM rate_limits")).toEqual([{ points: 2 * CALLERS }]);
    expect(warnings).toHaveLength(1);
    await lookUp(database);
    expect((await kept(database)).filter(({ name }) => name.startsWith("find_refresh_family"))).toEqual([]);
  });

  test("OP-27 a statement of another version with the same name never runs in its place", async () => {
    const { names } = poolOf(direct);
    const [one, other] = [names.nameOf("find_code", "select 1"), names.nameOf("find_code", "select 2")];
    expect(one).not.toBe(other);
    expect(names.nameOf("find_code", "select 1")).toBe(one);
    expect(names.nameOf("n".repeat(80), "select 1")).toHaveLength(63);
  });

  test("OP-26 no other error of a pooler turns the limits off", async () => {
    let refusals = 1;
    const proxy = await startTcpProxy(Number(new URL(direct.url).port), () =>
      refusals-- > 0 ? fatal("08P01", "server login has been failing, try again later") : undefined,
    );
    closing.push(() => proxy.stop());
    const database = await openHere(Object.assign(new URL(directUrl()), { port: String(proxy.port) }).href);
    await database.schema();
    expect((await poolOf(database).query("SHOW statement_timeout")).rows).toEqual([{ statement_timeout: "5s" }]);
  });
});

describe("migrating behind a pooler", () => {
  beforeEach(() => openDirect({ fresh: true }));

  test("OP-26 where it ignores the limits as parameters, migrating sets them for the account", async ({ skip }) => {
    skip(pgBouncerVersion === undefined, "pgbouncer is not installed");
    const ignored = "ignore_startup_parameters = statement_timeout, lock_timeout, idle_in_transaction_session_timeout";
    const url = await behind((address) => startPgBouncer(address, { settings: ignored }));
    await (await openHere(url)).migrate();
    expect(await ask(direct.url, "SHOW statement_timeout")).toEqual([{ statement_timeout: "5s" }]);
  });

  test("OP-26 several processes can set the limits at once", async () => {
    const url = await behind(startTransactionPooler);
    const databases = await Promise.all(Array.from({ length: 6 }, () => openHere(url)));
    await Promise.all(databases.map((database) => database.migrate()));
    expect(await ask(direct.url, "SHOW lock_timeout")).toEqual([{ lock_timeout: "2s" }]);
  });

  test("OP-27 nothing of a migration outlives it on the pooler's connections", async () => {
    await ask(direct.url, `ALTER DATABASE ${new URL(direct.url).pathname.slice(1)} SET statement_timeout = '7s'`);
    await empty();
    const url = await behind((address) => startTransactionPooler(address, { size: 1 }));
    expect((await (await openHere(url)).migrate()).length).toBeGreaterThan(0);
    expect(await ask(url, "SHOW statement_timeout")).toEqual([{ statement_timeout: "7s" }]);
  });

  test("OP-27 uses the direct URL", async () => {
    const url = await behind((address) => startTransactionPooler(address, { size: 1 }));
    await empty();
    const unreachable = openHere(url, { directUrl: "postgres://gatehouse@127.0.0.1:1/x" });
    await expect((await unreachable).migrate()).rejects.toThrow(
      /DATABASE_DIRECT_URL \(127\.0\.0\.1:1\) cannot be used: .*ECONNREFUSED/,
    );
    expect((await (await openHere(url, { directUrl: directUrl() })).migrate()).length).toBeGreaterThan(0);
  });

  test("OP-27 a direct URL of another database is refused before anything changes", async () => {
    const url = await behind((address) => startTransactionPooler(address));
    const other = Object.assign(new URL(directUrl()), { pathname: "/template1" }).href;
    await expect((await openHere(url, { directUrl: other })).migrate()).rejects.toThrow(/lead to different databases/);
    expect(await ask(other, "SELECT to_regclass('gatehouse_migrations') AS ledger")).toEqual([{ ledger: null }]);
  });
});
