import { type DeliveredEvent, type Delivery, deliveryIdsFrom, eventKeyOf } from "@gatehouse/webhooks";
import { asc, eq } from "drizzle-orm";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { engines, type TestDatabase } from "../../testing/engines.ts";
import { NOW } from "../../testing/people.ts";
import { evictedSince } from "./eviction.ts";
import { sweepInbox } from "./inbox-retention.ts";
import { insertDelivery, insertDeliveryOnce } from "./intake.ts";

const DAY = 86_400;
const MB = 1_000_000;
const LIMITS = { bodyDays: 30, maxBytes: 1_000 * MB };

describe.each(engines)("retention of the webhook inbox on $name, OP-38", ({ open }) => {
  let database: TestDatabase;
  beforeEach(async () => {
    database = await open();
  });
  afterEach(() => database.close());

  let count = 0;
  const delivery = (at: number, change: Partial<Delivery> = {}): Delivery => ({
    id: `${deliveryIdsFrom(at)}-7000-8000-${++count}`,
    endpoint: "stripe",
    environment: "production",
    source: "http",
    receivedAt: at,
    method: "POST",
    outcome: "accepted",
    reason: "accepted",
    status: 200,
    eventType: null,
    eventId: null,
    secretId: null,
    mode: null,
    skewSeconds: null,
    headers: {},
    body: Buffer.from("{}"),
    bodyBytes: 2,
    ackMs: 1,
    address: null,
    ...change,
  });
  const event = (name: string): DeliveredEvent => ({
    key: eventKeyOf(name),
    id: null,
    type: null,
    objectKey: null,
    handlers: [],
  });
  const accept = (at: number, one = event(`id:${++count}`)) => insertDeliveryOnce(database.db, delivery(at), [one]);
  const deliveries = () => {
    const { webhookDeliveries: d } = database.db.tables;
    return database.db.select({ at: d.receivedAt, body: d.body }).from(d).orderBy(asc(d.id));
  };
  const events = () => database.db.select().from(database.db.tables.webhookEvents);
  const stored = async (at: number, bytes: number, rows = 1) => {
    const { db } = database;
    const { tables } = db;
    const day = { at: at - (at % DAY), environment: "", metric: "webhook_stored" };
    await db.insert(tables.statDay).values([
      { ...day, key: "bytes", count: bytes },
      { ...day, key: "rows", count: rows },
    ]);
  };

  test("bodies go after the configured days; the rows stay, and a retry is still a duplicate", async () => {
    await accept(NOW - 31 * DAY, event("old"));
    await accept(NOW - 29 * DAY);
    expect(await sweepInbox(database.db, NOW, LIMITS)).toMatchObject({ bodies: 1, deliveries: 0, events: 0 });
    expect((await deliveries()).map(({ body }) => body?.toString() ?? null)).toEqual([null, "{}"]);
    expect(await accept(NOW, event("old"))).toBe(false);
    expect(await evictedSince(database.db)).toBeNull();
  });

  test("the body of an event that is not handled yet is kept", async () => {
    const pending = { ...event("pending"), handlers: [{ name: "*", orderKey: null, queue: "webhook" }] };
    await accept(NOW - 31 * DAY, pending);
    expect(await sweepInbox(database.db, NOW, LIMITS)).toMatchObject({ bodies: 0 });
    expect((await deliveries())[0]?.body?.toString()).toBe("{}");
  });

  test("an event's key is kept for as long as a provider may repeat it; then it goes with its delivery and attempts", async () => {
    const { db } = database;
    const { tables } = db;
    const [old, recent] = [delivery(NOW - 101 * DAY), delivery(NOW - 99 * DAY)];
    await insertDeliveryOnce(database.db, old, [event("old"), event("old too")]);
    await insertDeliveryOnce(database.db, recent, [event("recent")]);
    const attempt = {
      endpoint: "stripe",
      handler: "*",
      trigger: "initial",
      startedAt: NOW,
      ms: 1,
      outcome: "ok",
    } as const;
    await db
      .insert(tables.webhookAttempts)
      .values(
        [old, recent].map(({ id }) => ({ ...attempt, id: `a-${id}`, deliveryId: id, eventKey: Buffer.from("key") })),
      );
    const effect = { endpoint: "stripe", handler: "*", name: "paid", createdAt: NOW - 101 * DAY };
    await db.insert(tables.webhookEffects).values({ ...effect, eventKey: Buffer.from(eventKeyOf("old")) });
    expect(await sweepInbox(database.db, NOW, LIMITS)).toMatchObject({ deliveries: 1, events: 2 });
    expect((await events()).map(({ deliveryId }) => deliveryId)).toEqual([recent.id]);
    expect((await db.select().from(tables.webhookAttempts)).map(({ deliveryId }) => deliveryId)).toEqual([recent.id]);
    expect(await db.select().from(tables.webhookEffects)).toEqual([]);
  });

  test("above the cap the oldest bodies go first, never the rows or keys; the console is told until it fits again", async () => {
    for (const days of [9, 5, 1]) {
      await accept(NOW - days * DAY);
      await stored(NOW - days * DAY, 40 * MB);
    }
    const limits = { bodyDays: 30, maxBytes: 100 * MB };
    expect(await sweepInbox(database.db, NOW, limits)).toMatchObject({
      bodies: 1,
      deliveries: 0,
      events: 0,
      full: false,
    });
    expect((await deliveries()).map(({ body }) => body === null)).toEqual([true, false, false]);
    expect(await events()).toHaveLength(3);
    expect(await evictedSince(database.db)).toBe(NOW);
    await sweepInbox(database.db, NOW + 60, limits);
    expect(await evictedSince(database.db)).toBe(NOW);
    await sweepInbox(database.db, NOW + 60, LIMITS);
    expect(await evictedSince(database.db)).toBeNull();
  });

  test("the bodies of the last hour stay even if rows alone exceed the cap; then rejected deliveries should go", async () => {
    await accept(NOW - 2 * DAY);
    await accept(NOW - 60);
    await stored(NOW - 2 * DAY, MB, 200_000);
    expect(await sweepInbox(database.db, NOW, { bodyDays: 30, maxBytes: 100 * MB })).toMatchObject({
      bodies: 1,
      full: true,
    });
    expect((await deliveries()).map(({ body }) => body === null)).toEqual([true, false]);
  });

  test("a run is bounded, and the next one continues; deliveries that arrive meanwhile are not affected", async () => {
    const { db } = database;
    const { tables } = db;
    const old = Array.from({ length: 1_200 }, (_, at) =>
      delivery(NOW - 101 * DAY + at, { outcome: "rejected", reason: "unparsable" }),
    );
    await Promise.all(old.map((one) => insertDelivery(database.db, one)));
    const arriving = Array.from({ length: 20 }, () => accept(NOW));
    const [, ...isNew] = await Promise.all([sweepInbox(database.db, NOW, LIMITS), ...arriving]);
    expect(isNew).toEqual(arriving.map(() => true));
    await sweepInbox(database.db, NOW, LIMITS);
    expect(await deliveries()).toHaveLength(20);
    expect(
      (await db.select().from(tables.webhookDeliveries).where(eq(tables.webhookDeliveries.receivedAt, NOW))).every(
        ({ body }) => body,
      ),
    ).toBe(true);
  });
});
