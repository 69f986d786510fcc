import { setImmediate as nextTurn } from "node:timers/promises";
import pg from "pg";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { CacheName, CacheVersions, VersionReader } from "../cache/caches.ts";
import { requestArrived } from "../cache/turn.ts";
import { unavailable } from "../errors/unavailable.ts";
import type { Statement } from "../query/db.ts";
import { engines, type TestDatabase } from "../testing/engines.ts";
import { NOW, seed } from "../testing/people.ts";
import { createVersionReader } from "./cache-versions.ts";

describe("versions of the caches on PostgreSQL", () => {
  let database: TestDatabase;
  let reading: pg.Client;
  let one: pg.Client;
  let other: pg.Client;
  let questions: Statement[];
  let versions: VersionReader;

  const connect = async () => {
    const client = new pg.Client({ connectionString: database.url });
    await client.connect();
    return client;
  };
  const send = async (statement: Statement) => {
    if (statement.name === "cache_changes") questions.push(statement);
    const result = await reading.query<unknown[]>({ text: statement.sql, values: statement.params, rowMode: "array" });
    return result.rows;
  };
  const read = async () => (await versions.read()) as CacheVersions;
  const changedSince = (before: CacheVersions, after: CacheVersions) =>
    (Object.keys(before) as CacheName[]).filter((name) => after[name] !== before[name]);
  /** The caches that changed since the last answer. */
  async function changes(): Promise<CacheName[]> {
    const before = versions.latest() as CacheVersions;
    await nextTurn();
    return changedSince(before, await read());
  }

  /**
   * A sweep leaves what an older transaction of any database on the server could miss; those of other tests end soon.
   */
  const WHILE_OTHERS = { timeout: 20_000, interval: 100 };
  async function expectSwept(count: number): Promise<void> {
    let swept = 0;
    await expect
      .poll(async () => {
        swept += (await versions.sweep?.()) ?? 0;
        return swept;
      }, WHILE_OTHERS)
      .toBe(count);
  }

  beforeAll(async () => {
    const opened = await engines.find(({ name }) => name === "postgres")?.open();
    if (!opened) throw new Error("expected PostgreSQL");
    database = opened;
    await seed(database.db);
    [reading, one, other] = await Promise.all([connect(), connect(), connect()]);
  });
  beforeEach(async () => {
    questions = [];
    versions = createVersionReader(send);
    await read();
    await nextTurn();
  });
  afterAll(async () => {
    await Promise.all([reading, one, other].map((client) => client.end()));
    await database.close();
  });

  test("a transaction that commits after a later one is seen", async () => {
    await one.query("BEGIN; UPDATE users SET disabled_at = 1 WHERE id = 'ada'");
    await other.query("BEGIN; UPDATE clients SET disabled_at = 1 WHERE id = 'shop-dev'");
    expect(await changes()).toEqual([]);
    await other.query("COMMIT");
    expect(await changes()).toEqual(["clients"]);
    await one.query("COMMIT");
    expect(await changes()).toEqual(["users"]);
    expect(await changes()).toEqual([]);
  });

  test("so is one that changed a row in a savepoint, but not what was rolled back", async () => {
    await one.query("BEGIN; SAVEPOINT a; UPDATE users SET disabled_at = 2 WHERE id = 'ada'");
    await one.query("RELEASE a; SAVEPOINT b; UPDATE clients SET disabled_at = 2 WHERE id = 'shop-dev'; ROLLBACK TO b");
    expect(await changes()).toEqual([]);
    await one.query("COMMIT");
    expect(await changes()).toEqual(["users"]);
    await one.query("BEGIN; UPDATE users SET disabled_at = 3 WHERE id = 'ada'; ROLLBACK");
    expect(await changes()).toEqual([]);
  });

  test("a change of columns that nothing caches is none", async () => {
    await one.query("UPDATE users SET password_hash = 'x'; UPDATE clients SET last_used_at = 5");
    expect(await changes()).toEqual([]);
    expect(await read()).toBe(versions.latest());
  });

  test("two transactions that change the same cache do not wait for each other", async () => {
    await one.query("BEGIN; UPDATE users SET disabled_at = 4 WHERE id = 'ada'");
    await other.query("SET statement_timeout = 1000; UPDATE users SET disabled_at = 4 WHERE id = 'bob'");
    await one.query("COMMIT");
    expect(await changes()).toEqual(["users"]);
  });

  test.each([
    ["truncated tables", "TRUNCATE sign_in_providers", ["signInProviders"]],
    ["the last use of a secret", "UPDATE client_secrets SET last_used_at = 1", []],
    [
      "a new user",
      `INSERT INTO users (id, email, name, role, created_at) VALUES ('new', 'n@x', '', 'user', ${NOW})`,
      [],
    ],
  ])("%s", async (_, sql, expected) => {
    await one.query(sql);
    expect(await changes()).toEqual(expected);
  });

  test("all reads of a turn share a question, and the next turn asks another", async () => {
    questions.length = 0;
    const [first, second] = await Promise.all([versions.read(), versions.read()]);
    expect(second).toBe(first);
    expect(questions).toHaveLength(1);
    await nextTurn();
    await versions.read();
    expect(questions).toHaveLength(2);
  });

  test("an answer holds for what its callers read next, until another request arrives or they wait for something else", async () => {
    const further = async (between: () => unknown) => {
      await nextTurn();
      await versions.read();
      await between();
      questions.length = 0;
      await versions.read();
      return questions.length;
    };
    expect(await further(() => Promise.resolve())).toBe(0);
    expect(await further(() => requestArrived())).toBe(1);
    expect(await further(() => nextTurn())).toBe(1);
  });

  test("a question that was sent before a commit, answered after the next one, loses nothing", async () => {
    const held: (() => void)[] = [];
    let holds = true;
    const slow = createVersionReader(async (statement) => {
      const rows = await send(statement);
      if (holds) await new Promise<void>((resolve) => void held.push(resolve));
      return rows;
    });
    holds = false;
    const before = (await slow.read()) as CacheVersions;
    await nextTurn();
    holds = true;
    const early = slow.read();
    await expect.poll(() => held.length).toBe(1);
    await one.query("UPDATE users SET disabled_at = 6 WHERE id = 'ada'");
    holds = false;
    const late = (await slow.read()) as CacheVersions;
    expect(changedSince(before, late)).toEqual(["users"]);
    held[0]?.();
    expect(changedSince(late, (await early) as CacheVersions)).toEqual([]);
    await one.query("UPDATE users SET disabled_at = 7 WHERE id = 'ada'");
    await nextTurn();
    expect(changedSince(late, (await slow.read()) as CacheVersions)).toEqual(["users"]);
  });

  const ALL = ["accessTokens", "clients", "grants", "signInProviders", "users", "webhookEndpoints"];
  test("everything is emptied when transaction ids can mean others: the unlogged tables are empty after a crash", async () => {
    await one.query("DELETE FROM cache_changes; DELETE FROM cache_epoch");
    expect(await changes()).toEqual(ALL);
    expect(await changes()).toEqual([]);
    await one.query("UPDATE cache_epoch SET id = gen_random_uuid()");
    expect(await changes()).toEqual(ALL);
  });

  test("notes of old changes are swept, but none that a transaction in progress may still precede; a process that missed them empties everything", async () => {
    const count = async () => Number((await one.query("SELECT count(*) FROM cache_changes")).rows[0].count);
    await one.query("DELETE FROM cache_changes; UPDATE users SET disabled_at = 8 WHERE id = 'ada'");
    expect(await versions.sweep?.()).toBe(0);
    expect(await changes()).toEqual(["users"]);
    await one.query("UPDATE cache_changes SET created_at = 0");
    await other.query(
      "BEGIN; UPDATE clients SET disabled_at = 8 WHERE id = 'shop-dev'; UPDATE cache_changes SET created_at = 0 WHERE cache = 'clients'",
    );
    await one.query(
      "UPDATE users SET disabled_at = 9 WHERE id = 'ada'; UPDATE cache_changes SET created_at = 0 WHERE cache = 'users' AND created_at > 0",
    );
    expect(await changes()).toEqual(["users"]);
    await expectSwept(1);
    expect(await count()).toBe(1);
    expect(await changes()).toEqual([]);
    await other.query("COMMIT");
    await expectSwept(2);
    expect(await changes()).toEqual(ALL);
    expect(await changes()).toEqual([]);
  });

  test("notes and marks of a dump from a server with higher transaction ids end with the next sweep", async () => {
    const far = "18000000000000000000";
    await one.query(`INSERT INTO cache_changes VALUES ('${far}', 'users', 0); UPDATE cache_epoch SET swept = '${far}'`);
    await changes();
    expect(await changes()).toEqual(["users"]);
    await expectSwept(1);
    expect(await changes()).toEqual([]);
    const idle = createVersionReader(send);
    const before = (await idle.read()) as CacheVersions;
    await one.query("UPDATE users SET disabled_at = 10 WHERE id = 'ada'; UPDATE cache_changes SET created_at = 0");
    await expect.poll(() => versions.sweep?.(), WHILE_OTHERS).toBeGreaterThan(0);
    await nextTurn();
    expect(changedSince(before, (await idle.read()) as CacheVersions)).toEqual(ALL);
  });

  test("while the database cannot say what changed, nothing is cached; a failure that everything else meets too is passed on", async () => {
    await other.query("ALTER TABLE cache_epoch RENAME TO renamed");
    await nextTurn();
    expect(await versions.read()).toBeUndefined();
    expect(versions.latest()).toBeUndefined();
    await other.query("ALTER TABLE renamed RENAME TO cache_epoch");
    const down = createVersionReader(() => Promise.reject(unavailable("down", "lost", new Error("down"))));
    await expect(down.read()).rejects.toThrow("down");
  });

  test("everything is emptied after more changes than an answer lists", async () => {
    for (let change = 0; change < 101; change++)
      await one.query(`UPDATE users SET disabled_at = ${100 + change} WHERE id = 'ada'`);
    expect(await changes()).toEqual(ALL);
  });
});
