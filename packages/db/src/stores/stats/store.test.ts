import { randomBytes } from "node:crypto";
import { createSeal, sha256 } from "@gatehouse/auth";
import { type Delivery, deliveryIdsFrom, eventKeyOf } from "@gatehouse/webhooks";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { engines, type TestDatabase } from "../../testing/engines.ts";
import { NOW } from "../../testing/people.ts";
import { createWebhookStore } from "../webhooks/store.ts";
import { createStats, type Stats } from "./store.ts";

const HOUR = 3_600;
const DAY = 86_400;
const seal = createSeal("0123456789abcdef0123456789abcdef", randomBytes);
const PAID = { environment: "staging", metric: "webhook_result", key: "stripe/accepted" };

describe.each(engines)("counts for charts on $name, CO-11 CO-12", ({ open }) => {
  let database: TestDatabase;
  let now: number;
  const errors: unknown[] = [];
  const start = () => createStats(database.db, { now: () => now, onError: (error) => errors.push(error) });
  beforeEach(async () => {
    database = await open();
    now = NOW - (NOW % DAY);
  });
  afterEach(() => database.close());

  const rowsOf = async (table: "statHour" | "statDay") => {
    const rows = await database.db.select().from(database.db.tables[table]);
    return rows.toSorted((one, other) => `${one.at} ${one.key}`.localeCompare(`${other.at} ${other.key}`));
  };

  test("counting writes nothing; a flush adds to the hour and the day, together with other processes", async () => {
    const [here, there] = [start(), start()];
    for (let times = 0; times < 3; times++) here.count(PAID);
    there.count(PAID);
    expect(await rowsOf("statHour")).toEqual([]);
    await Promise.all([here.flush(), there.flush()]);
    now += HOUR;
    here.count(PAID);
    here.count({ ...PAID, environment: "production" });
    await here.flush();
    await here.flush();
    expect((await rowsOf("statHour")).map(({ at, environment, count }) => [at, environment, count])).toEqual(
      expect.arrayContaining([
        [now - HOUR, "staging", 4],
        [now, "staging", 1],
        [now, "production", 1],
      ]),
    );
    expect((await rowsOf("statDay")).map(({ at, environment, count }) => [at, environment, count])).toEqual(
      expect.arrayContaining([
        [now - HOUR, "staging", 5],
        [now - HOUR, "production", 1],
      ]),
    );
  });

  test("the last counts are written when the process stops", async () => {
    const stats = start();
    stats.count(PAID);
    await stats.stop();
    expect(await rowsOf("statHour")).toMatchObject([{ ...PAID, count: 1 }]);
  });

  test("a flush that fails loses nothing", async () => {
    const { db } = database;
    const { tables } = db;
    let broken = true;
    const failing = {
      ...database.db,
      transaction: (...args: Parameters<typeof database.db.transaction>) =>
        broken ? Promise.reject(new Error("disk full")) : database.db.transaction(...args),
    };
    const stats = createStats(failing, { now: () => now, onError: () => {} });
    stats.count(PAID);
    stats.endpointAccepted("shop", now);
    await expect(stats.flush()).rejects.toThrow("disk full");
    await db
      .insert(tables.webhookEndpoints)
      .values({ slug: "shop", provider: "stripe", environment: "staging", settings: {}, createdAt: now });
    stats.count(PAID);
    broken = false;
    await stats.stop();
    expect(await rowsOf("statHour")).toMatchObject([{ ...PAID, count: 2 }]);
    expect(await db.select().from(tables.webhookEndpoints)).toMatchObject([{ lastAcceptedAt: now }]);
  });

  test("a counter counts once across flushes, failed flushes and the end of the hour, together with others of the same stat", async () => {
    let broken = false;
    const failing = {
      ...database.db,
      transaction: (...args: Parameters<typeof database.db.transaction>) =>
        broken ? Promise.reject(new Error("disk full")) : database.db.transaction(...args),
    };
    const stats = createStats(failing, { now: () => now, onError: () => {} });
    const [one, other] = [stats.counter(PAID), stats.counter(PAID)];
    one();
    one(2);
    other();
    await stats.flush();
    one();
    broken = true;
    const flushing = stats.flush();
    other();
    await expect(flushing).rejects.toThrow("disk full");
    one();
    other();
    stats.count(PAID);
    broken = false;
    await stats.flush();
    now += HOUR;
    one();
    await stats.stop();
    expect((await rowsOf("statHour")).map(({ at, count }) => [at, count])).toEqual([
      [now - HOUR, 9],
      [now, 1],
    ]);
  });

  test("the number of keys between two flushes is bounded; the rest is counted together", async () => {
    const stats = start();
    for (let key = 0; key < 6_000; key++) stats.count({ ...PAID, key: `stripe/${key}` });
    await stats.flush();
    const rows = await rowsOf("statHour");
    expect(rows.length).toBe(5_001);
    expect(rows.find(({ key }) => key === "other")).toMatchObject({ count: 1_000 });
  });

  describe("of webhooks", () => {
    let stats: Stats;
    let letter = 0;
    beforeEach(async () => {
      stats = start();
      const { db } = database;
      const { tables } = db;
      const endpoint = {
        slug: "shop",
        provider: "stripe",
        environment: "staging",
        settings: {},
        createdAt: now,
      } as const;
      await db.insert(tables.webhookEndpoints).values(endpoint);
      const secret = {
        id: "s1",
        endpoint: "shop",
        kind: "signing",
        sealed: "",
        hash: sha256("s1"),
        hint: "",
        createdAt: now,
      } as const;
      await db.insert(tables.webhookSecrets).values(secret);
    });
    const delivery = (change: Partial<Delivery> = {}): Delivery => ({
      id: `${deliveryIdsFrom(now)}-7000-8000-${++letter}`,
      endpoint: "shop",
      environment: "staging",
      source: "http",
      receivedAt: now,
      method: "POST",
      outcome: "accepted",
      reason: "accepted",
      status: 200,
      eventType: null,
      eventId: null,
      secretId: "s1",
      mode: null,
      skewSeconds: 0,
      headers: {},
      body: Buffer.from("{}"),
      bodyBytes: 2,
      ackMs: 29_000,
      address: null,
      ...change,
    });
    const event = { key: eventKeyOf("id:1"), id: "1", type: null, objectKey: null, handlers: [] };
    const rejected = { outcome: "rejected", reason: "signature_mismatch", status: 400 } as const;

    test("a new event whose mark contradicts its environment is counted once, and stored with its mark", async () => {
      const store = createWebhookStore(database.db, seal, () => now, stats);
      const [first, ...others] = [
        delivery({ mode: "live" }),
        delivery({ mode: "live" }),
        delivery({ mode: "test" }),
        delivery(),
      ];
      await store.acceptDelivery(first, [event]);
      for (const [at, other] of others.entries())
        await store.acceptDelivery(other, [{ ...event, key: eventKeyOf(`id:${Math.max(1, at + 1)}`) }]);
      await stats.flush();
      const counted = (await rowsOf("statHour")).filter(({ metric }) => metric === "webhook_mode");
      expect(counted).toMatchObject([{ environment: "staging", key: "shop/live", count: 1 }]);
      const { webhookDeliveries: d } = database.db.tables;
      const rows = await database.db.select({ id: d.id, mode: d.mode }).from(d);
      const modeOf = new Map(rows.map(({ id, mode }) => [id, mode]));
      expect([first, ...others].map(({ id }) => modeOf.get(id))).toEqual(["live", "live", "test", null]);
    });

    test("each result, reason and response time is counted under its endpoint and environment", async () => {
      const store = createWebhookStore(database.db, seal, () => now, stats);
      await store.acceptDelivery(delivery(), [event]);
      await store.acceptDelivery(delivery(), [event]);
      await store.recordRejection(delivery(rejected));
      await store.countOverflow(delivery(), "signature_mismatch", now);
      await store.countOverflow({ endpoint: "unknown", environment: null, source: "http" }, "provider_unknown", now);
      await stats.flush();
      expect(
        (await rowsOf("statHour")).map(({ environment, metric, key, count }) => [environment, metric, key, count]),
      ).toEqual(
        expect.arrayContaining([
          ["staging", "webhook_result", "shop/accepted", 1],
          ["staging", "webhook_result", "shop/duplicate", 1],
          ["staging", "webhook_result", "shop/rejected", 2],
          ["staging", "webhook_reason", "shop/signature_mismatch", 2],
          ["staging", "webhook_overflow", "shop/signature_mismatch", 1],
          ["staging", "webhook_ack", "shop/30000", 2],
          ["", "webhook_overflow", "unknown/provider_unknown", 1],
        ]),
      );
    });

    test("CO-57 CO-58 probes of the doctor are stored and counted nowhere; what was recovered is counted, and no use", async () => {
      const { db } = database;
      const { tables } = db;
      const store = createWebhookStore(database.db, seal, () => now, stats);
      await store.acceptDelivery(delivery({ source: "probe" }), [{ ...event, key: eventKeyOf("id:probe") }]);
      await store.recordRejection(delivery({ ...rejected, source: "probe" }));
      await store.countOverflow(delivery({ source: "probe" }), "signature_mismatch", now);
      await store.acceptDelivery(delivery({ source: "reconcile", secretId: null }), [event]);
      await stats.flush();
      const ofInbox = (await rowsOf("statHour")).filter(({ metric }) => metric !== "webhook_stored");
      expect(ofInbox.map(({ metric, key, count }) => [metric, key, count])).toEqual([
        ["webhook_result", "shop/accepted", 1],
      ]);
      expect(await db.select().from(tables.webhookEndpoints)).toMatchObject([
        { lastAcceptedAt: null, lastRefusedAt: null },
      ]);
      expect(await db.select().from(tables.webhookSecrets)).toMatchObject([{ lastMatchedAt: null }]);
      expect((await db.select().from(tables.webhookDeliveries)).map(({ source }) => source)).toEqual([
        "probe",
        "probe",
        "reconcile",
      ]);
    });

    test("an endpoint and a secret know when they were last used; a rejected delivery is no use of the secret", async () => {
      const { db } = database;
      const { tables } = db;
      const store = createWebhookStore(database.db, seal, () => now, stats);
      const used = async () => {
        await stats.flush();
        const [endpoint] = await db.select().from(tables.webhookEndpoints);
        const [secret] = await db.select().from(tables.webhookSecrets);
        return [endpoint?.lastAcceptedAt, endpoint?.lastRefusedAt, endpoint?.lastRefusedReason, secret?.lastMatchedAt];
      };
      await store.recordRejection(delivery(rejected));
      expect(await used()).toEqual([null, now, "signature_mismatch", null]);
      await store.acceptDelivery(delivery({ receivedAt: now + 5 }), [event]);
      expect(await used()).toEqual([now + 5, now, "signature_mismatch", now + 5]);
      await store.acceptDelivery(delivery({ receivedAt: now + 3 }), [event]);
      expect(await used()).toEqual([now + 5, now, "signature_mismatch", now + 5]);
    });
  });
});
