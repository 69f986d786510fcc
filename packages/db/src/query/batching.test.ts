import { randomBytes } from "node:crypto";
import { type Hash, mintAccessToken, type Store } from "@gatehouse/auth";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { isUniqueViolation } from "../errors/unique-violation.ts";
import { createAuthStore } from "../stores/auth/store.ts";
import { engines, type TestDatabase } from "../testing/engines.ts";
import { NOW, seed } from "../testing/people.ts";

describe.each(engines)("calls of one turn of the event loop, on $name", ({ open }) => {
  let database: TestDatabase;
  let store: Store;
  beforeAll(async () => {
    database = await open();
    await seed(database.db);
    store = createAuthStore(database.db);
  });
  afterAll(() => database.close());

  const token = (hash: Hash, scope = "api:read") =>
    ({
      hash,
      id: "id",
      grantId: null,
      clientId: "shop-dev",
      clientEpoch: 0,
      userId: null,
      scope,
      audience: "https://api.example",
      context: scope === "" ? null : { acr: 'a "quoted", {braced} \\ one' },
      environment: "development",
      issuedAt: NOW,
      expiresAt: NOW + 600,
    }) as const;
  const fresh = () => mintAccessToken(NOW + 600, randomBytes).hash;

  test("every caller gets the row it asked for", async () => {
    const tokens = Array.from({ length: 20 }, (_, at) => token(fresh(), at % 2 ? "" : `scope-${at}`));
    await Promise.all(tokens.map((one) => store.saveAccessToken(one)));
    const asked = [...tokens, ...tokens.slice(0, 5)];
    const found = await Promise.all(asked.map(({ hash }) => store.findAccessToken(hash)));
    for (const [at, one] of asked.entries()) expect(found[at]).toMatchObject(one);
    expect(
      await Promise.all([store.findAccessToken(fresh()), store.findClient("nobody"), store.findClient("a\0b")]),
    ).toEqual([undefined, undefined, undefined]);
  });

  test("a row that cannot be inserted does not fail the others", async () => {
    const [taken, free, last] = [fresh(), fresh(), fresh()];
    await store.saveAccessToken(token(taken));
    const outcomes = await Promise.allSettled([free, taken, last].map((hash) => store.saveAccessToken(token(hash))));
    expect(outcomes.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "fulfilled"]);
    expect(outcomes.some((outcome) => outcome.status === "rejected" && isUniqueViolation(outcome.reason))).toBe(true);
    for (const hash of [free, last]) expect(await store.findAccessToken(hash)).toBeDefined();
  });

  test("a client's secrets are in order of creation, whatever else is looked up", async () => {
    const { db } = database;
    const { tables } = db;
    const secret = { hint: "0000", hash: fresh() };
    await db.insert(tables.clientSecrets).values([
      { ...secret, id: "later", clientId: "shop-prod", createdAt: NOW + 2 },
      { ...secret, id: "sooner", clientId: "shop-prod", createdAt: NOW + 1 },
    ]);
    const [production, development] = await Promise.all([store.findClient("shop-prod"), store.findClient("shop-dev")]);
    expect(production?.secrets.map(({ id }) => id)).toEqual(["sooner", "later"]);
    expect(development?.secrets.map(({ id }) => id)).toEqual(["secret-1"]);
  });
});
