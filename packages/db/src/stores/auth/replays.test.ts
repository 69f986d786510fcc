import { type Store, sha256 } from "@gatehouse/auth";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { sweep } from "../../sweep/sweep.ts";
import { engines, type TestDatabase } from "../../testing/engines.ts";
import { NOW, seed } from "../../testing/people.ts";
import { createAuthStore } from "./store.ts";

const race = async (run: () => Promise<boolean>) =>
  (await Promise.all(Array.from({ length: 50 }, run))).filter(Boolean).length;

describe.each(engines)("what may happen once, on $name", ({ open }) => {
  let database: TestDatabase;
  let store: Store;
  beforeAll(async () => {
    database = await open();
    await seed(database.db);
    store = createAuthStore(database.db);
  });
  afterAll(() => database.close());

  const push = async (reference: string, expiresAt = NOW + 60) => {
    const what = { clientId: "shop-dev", parameters: "scope=api%3Aread", dpopJkt: "jkt", exemptionId: null };
    const request = { hash: sha256(reference), ...what, expiresAt };
    await store.savePushedRequest(request);
    return request;
  };

  test("PA-04: of 50 that complete a pushed request at once, one succeeds", async () => {
    const request = await push("raced");
    expect(await store.findPushedRequest(request.hash)).toEqual({ ...request, usedAt: null });
    expect(await race(() => store.usePushedRequest(request.hash, NOW + 1))).toBe(1);
    expect(await store.findPushedRequest(request.hash)).toEqual({ ...request, usedAt: NOW + 1 });
  });

  test("PA-04: a request that was opened in time may be completed later; one that nobody pushed, never", async () => {
    const { hash } = await push("slow");
    expect(await store.usePushedRequest(hash, NOW + 600)).toBe(true);
    expect(await store.usePushedRequest(sha256("unknown"), NOW)).toBe(false);
  });

  test("DP-01: of 50 uses of one jti at once, one is the first; the sweeper takes it when it no longer matters", async () => {
    const key = sha256("jti");
    expect(await race(() => store.spendOnce(key, NOW + 61))).toBe(1);
    expect(await store.spendOnce(sha256("another jti"), NOW + 61)).toBe(true);
    await sweep(database.db, NOW + 60);
    expect(await store.spendOnce(key, NOW + 61)).toBe(false);
    await sweep(database.db, NOW + 61);
    expect(await store.spendOnce(key, NOW + 122)).toBe(true);
  });
});
