import { randomBytes } from "node:crypto";
import { createSeal, sha256 } from "@gatehouse/auth";
import { openDatabase } from "@gatehouse/db/database";
import { createWebhookStore, WEBHOOK_SECRET_PURPOSE } from "@gatehouse/db/stores/webhooks/store";
import { engines, type TestDatabase } from "@gatehouse/db/testing/engines";
import { NOW } from "@gatehouse/db/testing/people";
import { type Delivery, eventKeyOf, type HandlerJob } from "@gatehouse/webhooks";
import { eq } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { findEventOfDelivery } from "./detail/queries.ts";

const seal = createSeal("0123456789abcdef0123456789abcdef", randomBytes);

const SVIX = {
  slug: "svix",
  provider: "svix",
  environment: "production",
  enabled: true,
  settings: { toleranceSeconds: 60 },
} as const;
const event = (key: string, ...handlers: HandlerJob[]) => {
  return { key: Buffer.from(eventKeyOf(key)), id: key, type: "charge.succeeded", objectKey: null, handlers };
};

describe.each(engines)("the webhook receiver's store on $name", ({ open }) => {
  let database: TestDatabase;
  let now = NOW;
  const store = () => createWebhookStore(database.db, seal, () => now);
  beforeAll(async () => {
    database = await open();
  });
  afterAll(() => database.close());

  let count = 0;
  const delivery = (change: Partial<Delivery> = {}): Delivery => ({
    id: `delivery-${++count}`,
    endpoint: "stripe",
    environment: "production",
    source: "http",
    receivedAt: NOW,
    method: "POST",
    outcome: "accepted",
    reason: "accepted",
    status: 200,
    eventType: "charge.succeeded",
    eventId: "evt_1",
    secretId: "secret-1",
    mode: null,
    skewSeconds: -2,
    headers: { zulu: "1", alpha: "2" },
    body: Buffer.from([0, 255, 128, 10]),
    bodyBytes: 4,
    ackMs: 7,
    address: "127.0.0.1",
    ...change,
  });
  const rowOf = async (id: string) => {
    const { webhookDeliveries: d } = database.db.tables;
    return (await database.db.select().from(d).where(eq(d.id, id)))[0];
  };
  const events = () => database.db.select().from(database.db.tables.webhookEvents);

  describe("endpoints", () => {
    const secret = (
      id: string,
      change: { kind?: "api_key"; sealed?: string; expiresAt?: number; removedAt?: number } = {},
    ) => ({
      id,
      endpoint: "svix",
      kind: "signing" as const,
      sealed: seal.seal(WEBHOOK_SECRET_PURPOSE, `whsec_${id}`),
      hash: sha256(id),
      hint: id.slice(-4),
      createdAt: NOW,
      ...change,
    });

    test("CO-58 the endpoint that is named like its provider belongs to production, whatever writes its row", async () => {
      const { db } = database;
      const { tables } = db;
      const row = { slug: "paddle", provider: "paddle", settings: {}, createdAt: NOW };
      await expect(db.insert(tables.webhookEndpoints).values({ ...row, environment: "development" })).rejects.toThrow();
      await db.insert(tables.webhookEndpoints).values({ ...row, environment: "production" });
      await expect(db.update(tables.webhookEndpoints).set({ environment: "staging" })).rejects.toThrow();
      await db.delete(tables.webhookEndpoints).where(eq(tables.webhookEndpoints.slug, "paddle"));
    });

    test("unknown until configured; then a change applies to the next delivery", async () => {
      const { db } = database;
      const { tables } = db;
      const svix = store();
      const { slug, provider, environment, settings } = SVIX;
      expect(await svix.findEndpoint("svix")).toBeUndefined();
      await db.insert(tables.webhookEndpoints).values({ slug, provider, environment, settings, createdAt: NOW });
      expect(await svix.findEndpoint("svix")).toEqual({ ...SVIX, apiKeys: [], secrets: [], unreadableSecrets: 0 });
      await db.insert(tables.webhookSecrets).values(secret("one"));
      expect(await svix.findEndpoint("svix")).toEqual({
        ...SVIX,
        apiKeys: [],
        secrets: [{ id: "one", value: "whsec_one" }],
        unreadableSecrets: 0,
      });
      await db.update(tables.webhookEndpoints).set({ disabledAt: NOW });
      expect(await svix.findEndpoint("svix")).toMatchObject({ enabled: false });
    });

    test("secrets that expired, were removed or cannot be opened are not returned; those that cannot be opened are counted", async () => {
      const { db } = database;
      const { tables } = db;
      const foreign = createSeal("another key, another key, another", randomBytes).seal(WEBHOOK_SECRET_PURPOSE, "x");
      await db
        .insert(tables.webhookSecrets)
        .values([
          secret("old", { expiresAt: NOW + 10 }),
          secret("gone", { removedAt: NOW - 1 }),
          secret("foreign", { sealed: foreign }),
          secret("other-purpose", { sealed: seal.seal("session", "x") }),
        ]);
      const ids = async () => (await store().findEndpoint("svix"))?.secrets.map(({ id }) => id).sort();
      expect(await ids()).toEqual(["old", "one"]);
      expect(await store().findEndpoint("svix")).toMatchObject({ unreadableSecrets: 2 });
      now = NOW + 10;
      expect(await ids()).toEqual(["one"]);
      now = NOW;
    });
  });

  describe("deliveries (SD-04)", () => {
    test("the first is accepted, with its raw bytes and the order of its headers; a retry is a duplicate", async () => {
      const [first, retry] = [delivery(), delivery()];
      expect(await store().acceptDelivery(first, [event("id:evt_1")])).toBe(true);
      expect(await store().acceptDelivery(retry, [event("id:evt_1")])).toBe(false);
      const { key: eventKey } = event("id:evt_1");
      expect(await rowOf(first.id)).toEqual({ ...first, eventKey });
      expect(Object.keys((await rowOf(first.id))?.headers ?? {})).toEqual(["zulu", "alpha"]);
      expect(await rowOf(retry.id)).toEqual({ ...retry, eventKey, outcome: "duplicate", reason: "duplicate" });
    });

    test("a duplicate links to the event and to its first delivery", async () => {
      const { key: eventKey } = event("id:evt_2");
      const [first, retry] = [delivery(), delivery()];
      await store().acceptDelivery(first, [event("id:evt_2")]);
      await store().acceptDelivery(retry, [event("id:evt_2")]);
      const found = await findEventOfDelivery(database.db, { endpoint: "stripe", eventKey });
      expect(found).toEqual({ firstDeliveryId: first.id, state: "stored", receivedAt: NOW });
    });

    test("the same key at another endpoint is another event", async () => {
      expect(await store().acceptDelivery(delivery({ endpoint: "polar" }), [event("id:evt_1")])).toBe(true);
    });

    test("of 50 racing deliveries of one event, one is new and all are recorded", async () => {
      const racers = Array.from({ length: 50 }, () => delivery());
      const isNew = await Promise.all(racers.map((racer) => store().acceptDelivery(racer, [event("id:raced")])));
      expect(isNew.filter(Boolean)).toHaveLength(1);
      const rows = await Promise.all(racers.map(({ id }) => rowOf(id)));
      expect(rows.map((row) => row?.outcome).sort()).toEqual(["accepted", ...Array(49).fill("duplicate")]);
      const winner = rows.find((row) => row?.outcome === "accepted");
      expect((await events()).filter(({ key }) => key.equals(event("id:raced").key))).toMatchObject([
        { deliveryId: winner?.id },
      ]);
    });

    test("a delivery that cannot be written leaves no event, so the sender's retry is not taken for a duplicate", async () => {
      const written = delivery();
      await store().recordRejection(written);
      await expect(store().acceptDelivery({ ...written }, [event("id:crashed")])).rejects.toThrow();
      expect((await events()).some(({ key }) => key.equals(event("id:crashed").key))).toBe(false);
      expect(await store().acceptDelivery(delivery(), [event("id:crashed")])).toBe(true);
    });

    test("an acknowledged delivery is committed: another connection sees it", async () => {
      const accepted = delivery();
      await store().acceptDelivery(accepted, [event("id:seen")]);
      const other = await openDatabase(database.url);
      const { webhookDeliveries: d } = other.db.tables;
      expect(await other.db.select({ id: d.id }).from(d).where(eq(d.id, accepted.id))).toHaveLength(1);
      await other.close();
    });

    test("a rejected request is stored as received, including hostile names", async () => {
      const refused = delivery({
        outcome: "rejected",
        reason: "signature_missing",
        status: 400,
        eventId: null,
        eventType: null,
        bodyBytes: null,
      });
      await store().recordRejection(refused);
      expect(await rowOf(refused.id)).toEqual({ ...refused, eventKey: null });
      await store().recordRejection(
        delivery({ outcome: "rejected", reason: "signature_mismatch", eventType: "nul\0", headers: { a: "\0" } }),
      );
      expect(await store().acceptDelivery(delivery({ eventId: "nul\0" }), [event("id:nul\0")])).toBe(true);
    });

    test("a new event brings a job for each handler, with its order key; a retry brings none", async () => {
      const jobs = () => database.db.select().from(database.db.tables.jobs).orderBy(database.db.tables.jobs.id);
      const wanted = event(
        "id:handled",
        { name: "charge.succeeded", orderKey: "ch_1", queue: "webhook" },
        { name: "*", orderKey: null, queue: "webhook" },
      );
      const [first, retry] = [delivery(), delivery()];
      expect(await store().acceptDelivery(first, [wanted, event("id:unhandled")])).toBe(true);
      expect(await store().acceptDelivery(retry, [wanted])).toBe(false);
      const eventKey = wanted.key.toString("base64url");
      const job = {
        queue: "webhook",
        runAt: NOW,
        createdAt: NOW,
        attempts: 0,
        leaseToken: null,
        lastError: null,
        deadAt: null,
      };
      expect(await jobs()).toEqual([
        {
          ...job,
          id: `${first.id}-0-0`,
          orderKey: "ch_1",
          payload: { endpoint: "stripe", deliveryId: first.id, eventKey, handler: "charge.succeeded" },
        },
        {
          ...job,
          id: `${first.id}-0-1`,
          orderKey: null,
          payload: { endpoint: "stripe", deliveryId: first.id, eventKey, handler: "*" },
        },
      ]);
      const stateOf = async (key: string) => (await events()).find((one) => one.key.equals(event(key).key))?.state;
      expect([await stateOf("id:handled"), await stateOf("id:unhandled")]).toEqual(["pending", "stored"]);
    });
  });
});
