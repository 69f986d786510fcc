import { randomBytes } from "node:crypto";
import { createSeal } from "@gatehouse/auth";
import { readCursor, toPage } from "@gatehouse/db/query/page";
import { createWebhookStore } from "@gatehouse/db/stores/webhooks/store";
import { engines, type TestDatabase } from "@gatehouse/db/testing/engines";
import { type Delivery, deliveryIdsFrom, type EventState, eventKeyOf } from "@gatehouse/webhooks";
import { eq } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { DeliveryFilter } from "../lists/lists.ts";
import { type DeliveryPage, listDeliveryRows } from "./queries.ts";

const NOON = 1_767_268_800;
/** The id of the delivery with this letter; each letter arrives a second after the one before. */
const secondOf = (letter: string) => NOON - 1_000 + letter.charCodeAt(0);
const idOf = (letter: string) => `${deliveryIdsFrom(secondOf(letter))}-7000-8000-${letter}`;
const letterOf = ({ id }: { id: string }) => id.at(-1) ?? "";

const hit = (letter: string, change: Partial<Delivery> = {}): Delivery => ({
  id: idOf(letter),
  endpoint: "stripe",
  environment: "production",
  receivedAt: secondOf(letter),
  method: "POST",
  outcome: "accepted",
  reason: "accepted",
  status: 200,
  eventType: "invoice.paid",
  eventId: `evt_${letter}`,
  secretId: null,
  mode: null,
  skewSeconds: 1,
  headers: {},
  body: Buffer.from("{}"),
  bodyBytes: 2,
  ackMs: 3,
  address: null,
  source: "http",
  ...change,
});
const event = (id: string, text = `id:${id}`) => ({
  key: eventKeyOf(text),
  id,
  type: "invoice.paid",
  objectKey: null,
  handlers: [],
});

describe.each(engines)("the list of deliveries, CO-53, on $name", ({ open }) => {
  let database: TestDatabase;
  const list = async (filter: DeliveryFilter, page: Partial<DeliveryPage> = {}) => {
    const limit = page.limit ?? 50;
    const found = await listDeliveryRows(database.reads, filter, { ...page, limit });
    return toPage(found, limit, ({ receivedAt, id }) => ({ at: receivedAt, id }));
  };
  const letters = async (filter: DeliveryFilter, page?: Partial<DeliveryPage>) =>
    (await list(filter, page)).items.map(letterOf);

  beforeAll(async () => {
    database = await open();
    const { db } = database;
    const { webhookEndpoints, webhookEvents } = db.tables;
    const endpoint = { provider: "stripe", name: null, settings: {}, createdAt: NOON };
    await db.insert(webhookEndpoints).values([
      { ...endpoint, slug: "stripe-staging", environment: "staging" },
      { ...endpoint, slug: "stripe-eu", environment: "production" },
    ]);
    const store = createWebhookStore(db, createSeal("only-for-tests-0123456789-0123456789", randomBytes));
    await store.acceptDelivery(hit("a"), [event("evt_a")]);
    await store.acceptDelivery(hit("b", { eventId: "evt_a" }), [event("evt_a")]); // a duplicate
    await store.acceptDelivery(hit("c", { endpoint: "stripe-staging", environment: "staging", eventId: "evt_a" }), [
      event("evt_a"),
    ]); // the same id, another endpoint
    await store.acceptDelivery(hit("d", { endpoint: "stripe-eu" }), [event("evt_d")]);
    // A batch
    await store.acceptDelivery(hit("e", { endpoint: "svix" }), [event("one", "text:1"), event("two", "text:2")]);
    await store.recordRejection(
      hit("f", { outcome: "rejected", reason: "signature_mismatch", status: 400, eventId: "evt_a" }),
    );
    const become = (deliveryId: string, state: EventState) =>
      db.update(webhookEvents).set({ state }).where(eq(webhookEvents.deliveryId, deliveryId));
    await become(idOf("d"), "dead");
    await become(idOf("e"), "dead");
    await become(idOf("c"), "handled");
  });
  afterAll(() => database.close());

  test.each<[DeliveryFilter, string]>([
    [{}, "fedcba"],
    [{ provider: "stripe" }, "fdcba"],
    [{ endpoint: "stripe" }, "fba"],
    [{ endpoint: "stripe-eu" }, "d"],
    [{ environment: "production" }, "fedba"],
    [{ environment: "staging" }, "c"],
    [{ environment: "development" }, ""],
    [{ provider: "stripe", environment: "production" }, "fdba"],
    [{ provider: "svix", environment: "production" }, "e"],
    [{ provider: "stripe", endpoint: "svix" }, ""],
    [{ endpoint: "stripe-staging", environment: "production" }, ""],
    [{ eventId: "evt_a" }, "fcba"],
    [{ eventId: "evt_a", outcome: "accepted" }, "ca"],
    [{ eventId: "evt_a", outcome: "duplicate" }, "b"],
    [{ eventId: "evt_a", environment: "staging" }, "c"],
    [{ eventId: "evt_e" }, "e"],
    [{ handlerState: "dead" }, "ed"],
    [{ handlerState: "dead", provider: "stripe" }, "d"],
    [{ handlerState: "dead", from: secondOf("e") }, "e"],
    [{ handlerState: "handled" }, "c"],
    [{ handlerState: "stored" }, "ba"],
    [{ handlerState: "failed" }, ""],
  ])("%o finds %s", async (filter, expected) => {
    expect((await letters(filter)).join("")).toBe(expected);
  });

  test.each<DeliveryFilter>([{}, { provider: "stripe" }, { eventId: "evt_a" }, { handlerState: "dead" }])(
    "pages of %o have no gap and no overlap",
    async (filter) => {
      const found: string[] = [];
      let cursor: string | null = null;
      do {
        const position: DeliveryPage["position"] = cursor === null ? undefined : readCursor(cursor);
        const page: Awaited<ReturnType<typeof list>> = await list(filter, { limit: 1, position });
        found.push(...page.items.map(letterOf));
        cursor = page.nextCursor;
      } while (cursor !== null);
      expect(found).toEqual(await letters(filter));
    },
  );

  test("CO-54 `after` finds what is newer than a delivery, under any filter, and says if there is more", async () => {
    expect(await list({}, { after: idOf("d") })).toMatchObject({
      items: [{ id: idOf("f") }, { id: idOf("e") }],
      nextCursor: null,
    });
    expect(await letters({}, { after: idOf("f") })).toEqual([]);
    expect(await letters({ provider: "stripe" }, { after: idOf("a") })).toEqual(["f", "d", "c", "b"]);
    expect(await letters({ handlerState: "dead" }, { after: idOf("d") })).toEqual(["e"]);
    expect(await list({}, { after: idOf("a"), limit: 2 })).toMatchObject({
      items: { length: 2 },
      nextCursor: expect.any(String),
    });
  });

  test("CO-53 probes of the doctor can be left out, or listed alone", async () => {
    const { db } = database;
    const d = db.tables.webhookDeliveries;
    await db
      .update(d)
      .set({ source: "probe" })
      .where(eq(d.id, idOf("d")));
    expect((await letters({ probes: "hidden" })).join("")).toBe("fecba");
    expect(await letters({ probes: "hidden", endpoint: "stripe-eu" })).toEqual([]);
    expect(await letters({ probes: "only" })).toEqual(["d"]);
    expect(await letters({ probes: "shown" })).toEqual(await letters({}));
    await db
      .update(d)
      .set({ source: "http" })
      .where(eq(d.id, idOf("d")));
  });

  test("CO-53 a delivery keeps the environment that it arrived in when its endpoint moves", async () => {
    const { db } = database;
    const { tables } = db;
    const move = (environment: "staging" | "production") =>
      db.update(tables.webhookEndpoints).set({ environment }).where(eq(tables.webhookEndpoints.slug, "stripe-staging"));
    await move("production");
    expect(await letters({ environment: "staging" })).toEqual(["c"]);
    expect(await letters({ environment: "staging", provider: "stripe" })).toEqual(["c"]);
    expect(await letters({ environment: "staging", endpoint: "stripe-staging", eventId: "evt_a" })).toEqual(["c"]);
    expect(await letters({ environment: "production", endpoint: "stripe-staging" })).toEqual([]);
    expect((await list({ endpoint: "stripe-staging" })).items).toMatchObject([{ environment: "staging" }]);
    await move("staging");
  });

  test("a row names its endpoint, provider, environment and the state of its event", async () => {
    const { items } = await list({ eventId: "evt_a" });
    expect(
      items.map(({ endpoint, provider, environment, handlerState }) => [endpoint, provider, environment, handlerState]),
    ).toEqual([
      ["stripe", "stripe", "production", null],
      ["stripe-staging", "stripe", "staging", "handled"],
      ["stripe", "stripe", "production", "stored"],
      ["stripe", "stripe", "production", "stored"],
    ]);
  });
});
