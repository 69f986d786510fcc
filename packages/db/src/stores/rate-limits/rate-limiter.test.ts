import { subjectKey } from "@gatehouse/runtime";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { engines, type TestDatabase } from "../../testing/engines.ts";
import { createRateLimiter } from "./rate-limiter.ts";

describe.each(engines)("rate limits on $name (SE-07, DF-05, N23)", ({ open }) => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await open();
  });
  afterAll(() => database.close());
  const account = (id: string) => subjectKey("account", id);
  const limiter = (name: string) => createRateLimiter(database, { name, failures: 3, windowSeconds: 60 });

  test("lets a key try until it reaches the limit, then says how long to wait", async () => {
    const limit = limiter("sign-in");
    expect(await limit.check(account("ada"))).toBe(0);
    expect(await limit.fail(account("ada"))).toBe(0);
    expect(await limit.fail(account("ada"))).toBe(0);
    expect(await limit.check(account("ada"))).toBe(0);
    expect(await limit.fail(account("ada"))).toBeGreaterThan(50);
    expect(await limit.check(account("ada"))).toBeGreaterThan(50);
    expect(await limit.check(account("ada"))).toBeLessThanOrEqual(60);
  });

  test("keeps keys and limits apart", async () => {
    const limit = limiter("apart");
    for (let failure = 0; failure < 3; failure++) await limit.fail(account("ada"));
    expect(await limit.check(account("bob"))).toBe(0);
    expect(await limiter("other").check(account("ada"))).toBe(0);
  });

  test("is shared by every limiter of the same name, as between two processes", async () => {
    for (let failure = 0; failure < 3; failure++) await limiter("shared").fail(account("ada"));
    expect(await limiter("shared").check(account("ada"))).toBeGreaterThan(0);
  });

  test("clear deletes the key's count", async () => {
    const limit = limiter("cleared");
    for (let failure = 0; failure < 3; failure++) await limit.fail(account("ada"));
    await limit.clear(account("ada"));
    expect(await limit.check(account("ada"))).toBe(0);
  });

  test("OP-84 what was counted while the clock was ahead is forgotten once the clock is right, and counted from then on", async () => {
    const limit = limiter("ahead");
    const { db } = database;
    const setAhead = () => db.update(db.tables.rateLimits).set({ expire: Date.now() + 2 * 86_400_000 });
    for (let failure = 0; failure < 3; failure++) await limit.fail(account("ada"));
    await setAhead();
    expect(await limit.check(account("ada"))).toBe(0);
    for (let failure = 0; failure < 3; failure++) await limit.fail(account("ada"));
    await setAhead();
    expect([await limit.fail(account("ada")), await limit.fail(account("ada"))]).toEqual([0, 0]);
    expect(await limit.fail(account("ada"))).toBeGreaterThan(50);
  });

  test("AB-01 of 50 racing attempts, exactly as many as allowed go ahead", async () => {
    const limit = limiter("raced");
    const waits = await Promise.all(Array.from({ length: 50 }, () => limit.attempt(account("code"))));
    expect(waits.filter((wait) => wait === 0)).toHaveLength(3);
  });

  test("an attempt that succeeded and was forgiven does not count", async () => {
    const limit = limiter("forgiven");
    for (let attempt = 0; attempt < 10; attempt++) {
      expect(await limit.attempt(account("ada"))).toBe(0);
      await limit.forgive(account("ada"));
    }
  });

  test("an expired window does not count, swept or not", async () => {
    const limit = limiter("over");
    for (let failure = 0; failure < 3; failure++) await limit.fail(account("ada"));
    await database.db.update(database.db.tables.rateLimits).set({ expire: Date.now() - 1 });
    expect(await limit.check(account("ada"))).toBe(0);
    expect(await limit.fail(account("ada"))).toBe(0);
  });

  test("keys are stored as hashes only", async () => {
    await limiter("secret").fail(account("ada@example.com"));
    const rows = await database.db.select().from(database.db.tables.rateLimits);
    expect(JSON.stringify(rows)).not.toContain("ada");
  });
});
