import { randomBytes } from "node:crypto";
import { createSeal, sha256 } from "@gatehouse/auth";
import type { Delivery } from "@gatehouse/webhooks";
import { eq } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openDatabase } from "../database.ts";
import { findEventOfDelivery } from "../queries/deliveries.ts";
import { engines, NOW, type TestDatabase } from "../testing/index.ts";
import { createWebhookStore, WEBHOOK_SECRET_PURPOSE } from "./webhook-store.ts";

const seal = createSeal("0123456789abcdef0123456789abcdef", randomBytes);

describe.each(engines)("the webhook receiver's store on $name", ({ open }) => {
  let database: TestDatabase;
  let now = NOW;
  const store = () => createWebhookStore(database.handle, seal, () => now);
  beforeAll(async () => {
    database = await open();
  });
  afterAll(() => database.close());

  let count = 0;
  const delivery = (change: Partial<Delivery> = {}): Delivery => ({
    ...{ id: `delivery-${++count}`, provider: "stripe", receivedAt: NOW, method: "POST", outcome: "accepted", reason: "accepted" },
    ...{ status: 200, eventType: "charge.succeeded", eventId: "evt_1", secretId: "secret-1", skewSeconds: -2 },
    ...{
      headers: { zulu: "1", alpha: "2" },
      body: Buffer.from([0, 255, 128, 10]),
      bodyBytes: 4,
      ackMs: 7,
      address: "127.0.0.1",
      ...change,
    },
  });
  const rowOf = async (id: string) => {
    const { webhookDeliveries: d } = database.handle.tables;
    return (await database.handle.db.select().from(d).where(eq(d.id, id)))[0];
  };
  const events = () => database.handle.db.select().from(database.handle.tables.webhookEvents);

  describe("providers", () => {
    const secret = (id: string, change: { sealed?: string; expiresAt?: number; removedAt?: number } = {}) => ({
      ...{
        id,
        provider: "svix",
        sealed: seal.seal(WEBHOOK_SECRET_PURPOSE, `whsec_${id}`),
        hash: sha256(id),
        hint: id.slice(-4),
        createdAt: NOW,
      },
      ...change,
    });

    test("unknown until configured; then a change applies to the next delivery", async () => {
      const { db, tables } = database.handle;
      const svix = store();
      expect(await svix.findProvider("svix")).toBeUndefined();
      await db.insert(tables.webhookProviders).values({ provider: "svix", createdAt: NOW });
      expect(await svix.findProvider("svix")).toEqual({ enabled: true, secrets: [], unreadableSecrets: 0 });
      await db.insert(tables.webhookSecrets).values(secret("one"));
      expect(await svix.findProvider("svix")).toEqual({
        enabled: true,
        secrets: [{ id: "one", value: "whsec_one" }],
        unreadableSecrets: 0,
      });
      await db.update(tables.webhookProviders).set({ disabledAt: NOW });
      expect(await svix.findProvider("svix")).toMatchObject({ enabled: false });
    });

    test("secrets that expired, were removed or cannot be opened are not returned; those that cannot be opened are counted", async () => {
      const { db, tables } = database.handle;
      const foreign = createSeal("another key, another key, another", randomBytes).seal(WEBHOOK_SECRET_PURPOSE, "x");
      await db
        .insert(tables.webhookSecrets)
        .values([
          secret("old", { expiresAt: NOW + 10 }),
          secret("gone", { removedAt: NOW - 1 }),
          secret("foreign", { sealed: foreign }),
          secret("other-purpose", { sealed: seal.seal("session", "x") }),
        ]);
      const ids = async () => (await store().findProvider("svix"))?.secrets.map(({ id }) => id).sort();
      expect(await ids()).toEqual(["old", "one"]);
      expect(await store().findProvider("svix")).toMatchObject({ unreadableSecrets: 2 });
      now = NOW + 10;
      expect(await ids()).toEqual(["one"]);
      now = NOW;
    });
  });

  describe("deliveries (SD-04)", () => {
    test("the first is accepted, with its raw bytes and the order of its headers; a retry is a duplicate", async () => {
      const [first, retry] = [delivery(), delivery()];
      expect(await store().acceptDelivery(first, "id:evt_1")).toBe(true);
      expect(await store().acceptDelivery(retry, "id:evt_1")).toBe(false);
      expect(await rowOf(first.id)).toEqual(first);
      expect(Object.keys((await rowOf(first.id))?.headers ?? {})).toEqual(["zulu", "alpha"]);
      expect(await rowOf(retry.id)).toEqual({ ...retry, outcome: "duplicate", reason: "duplicate" });
    });

    test("a duplicate links to the event and to its first delivery", async () => {
      const [first, retry] = [delivery({ eventId: "evt_2" }), delivery({ eventId: "evt_2" })];
      await store().acceptDelivery(first, "id:evt_2");
      await store().acceptDelivery(retry, "id:evt_2");
      const event = { id: first.id, firstDeliveryId: first.id };
      for (const { id } of [first, retry]) {
        expect(await findEventOfDelivery(database.handle, { id, provider: "stripe", eventId: "evt_2" })).toEqual(event);
      }
    });

    test("the same key of another provider is another event", async () => {
      expect(await store().acceptDelivery(delivery({ provider: "polar" }), "id:evt_1")).toBe(true);
    });

    test("of 50 racing deliveries of one event, one is new and all are recorded", async () => {
      const racers = Array.from({ length: 50 }, () => delivery());
      const isNew = await Promise.all(racers.map((racer) => store().acceptDelivery(racer, "id:raced")));
      expect(isNew.filter(Boolean)).toHaveLength(1);
      const rows = await Promise.all(racers.map(({ id }) => rowOf(id)));
      expect(rows.map((row) => row?.outcome).sort()).toEqual(["accepted", ...Array(49).fill("duplicate")]);
      const winner = rows.find((row) => row?.outcome === "accepted");
      expect((await events()).filter(({ dedupeKey }) => dedupeKey === "id:raced")).toMatchObject([{ deliveryId: winner?.id }]);
    });

    test("when a secret last matched is written with the delivery, at most once a minute", async () => {
      const { handle } = database;
      const { webhookProviders, webhookSecrets: s } = handle.tables;
      await handle.db.insert(webhookProviders).values({ provider: "polar", createdAt: NOW }).onConflictDoNothing();
      await handle.db.insert(s).values({ id: "matched", provider: "polar", sealed: "", hash: sha256("matched"), hint: "", createdAt: NOW });
      const lastMatched = async () => (await handle.db.select().from(s).where(eq(s.id, "matched")))[0]?.lastMatchedAt;
      const [here, elsewhere] = [store(), store()];
      const accept = (by: typeof here, seconds: number) => {
        const sent = delivery({ provider: "polar", secretId: "matched", receivedAt: NOW + seconds });
        return by.acceptDelivery(sent, `id:${sent.id}`);
      };

      expect(await lastMatched()).toBeNull();
      await Promise.all(Array.from({ length: 20 }, () => accept(here, 0)));
      expect(await lastMatched()).toBe(NOW);
      await accept(here, 59);
      await accept(elsewhere, 59);
      expect(await lastMatched()).toBe(NOW);
      const before = handle.version("configuration");
      await accept(here, 59);
      expect(handle.version("configuration")).toBe(before); // what is cached stays so
      await accept(here, 60);
      expect(await lastMatched()).toBe(NOW + 60);
    });

    test("a rejected delivery does not count as a match", async () => {
      const { webhookSecrets: s } = database.handle.tables;
      await database.handle.db
        .insert(s)
        .values({ id: "stale", provider: "polar", sealed: "", hash: sha256("stale"), hint: "", createdAt: NOW });
      const sent = { provider: "polar", secretId: "stale", outcome: "rejected", reason: "timestamp_too_old", status: 400 } as const;
      await store().recordRejection(delivery(sent));
      expect(await database.handle.db.select({ at: s.lastMatchedAt }).from(s).where(eq(s.id, "stale"))).toEqual([{ at: null }]);
    });

    test("a delivery that cannot be written leaves no event, so the sender's retry is not taken for a duplicate", async () => {
      const written = delivery();
      await store().recordRejection(written);
      await expect(store().acceptDelivery({ ...written }, "id:crashed")).rejects.toThrow();
      expect((await events()).some(({ dedupeKey }) => dedupeKey === "id:crashed")).toBe(false);
      expect(await store().acceptDelivery(delivery(), "id:crashed")).toBe(true);
    });

    test("an acknowledged delivery is committed: another connection sees it", async () => {
      const accepted = delivery();
      await store().acceptDelivery(accepted, "id:seen");
      const other = await openDatabase(database.url);
      const { webhookDeliveries: d } = other.handle.tables;
      expect(await other.handle.db.select({ id: d.id }).from(d).where(eq(d.id, accepted.id))).toHaveLength(1);
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
      expect(await rowOf(refused.id)).toEqual(refused);
      await store().recordRejection(
        delivery({ outcome: "rejected", reason: "signature_mismatch", eventType: "nul\0", headers: { a: "\0" } }),
      );
      expect(await store().acceptDelivery(delivery({ eventId: "nul\0" }), "id:nul\0")).toBe(true);
    });

    test("requests without a row are counted per minute", async () => {
      await Promise.all(Array.from({ length: 20 }, (_, second) => store().countOverflow("stripe", "signature_missing", NOW + second)));
      await store().countOverflow("stripe", "signature_missing", NOW + 60);
      const rows = await database.handle.db.select().from(database.handle.tables.webhookOverflow);
      expect(rows.map(({ minuteAt, count: hits }) => [minuteAt, hits]).sort()).toEqual([
        [NOW, 20],
        [NOW + 60, 1],
      ]);
    });
  });
});
