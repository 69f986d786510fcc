import { type DeliveredEvent, type Delivery, deliveryIdsFrom, eventKeyOf } from "@gatehouse/webhooks";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { insertDeliveryOnce } from "../stores/webhooks/intake.ts";
import { engines, type TestDatabase } from "../testing/engines.ts";
import { NOW } from "../testing/people.ts";

describe.each(engines)("deliveries that arrive in one turn of the event loop, on $name", ({ open }) => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await open();
  });
  afterAll(() => database.close());

  const delivery = (number: number, change: Partial<Delivery> = {}): Delivery => ({
    id: `${deliveryIdsFrom(NOW)}-7000-8000-${number}`,
    endpoint: "stripe",
    environment: "production",
    source: "http",
    receivedAt: NOW,
    method: "POST",
    outcome: "accepted",
    reason: "accepted",
    status: 200,
    eventType: "a",
    eventId: `evt_${number}`,
    secretId: null,
    mode: null,
    skewSeconds: null,
    headers: { a: `"\\{},${number}` },
    body: Buffer.alloc(number * 3, number),
    bodyBytes: 0,
    ackMs: 1,
    address: null,
    ...change,
  });
  const event = (name: string, ...handlers: string[]): DeliveredEvent => ({
    key: eventKeyOf(`id:${name}`),
    id: name,
    type: "a",
    objectKey: null,
    handlers: handlers.map((handler) => ({ name: handler, orderKey: null, queue: "webhook" })),
  });
  const accept = (one: Delivery, ...events: DeliveredEvent[]) => insertDeliveryOnce(database.db, one, events);

  test("each keeps its own bytes, headers and key, whatever their lengths", async () => {
    const sent = Array.from({ length: 40 }, (_, number) => delivery(number));
    expect(await Promise.all(sent.map((one) => accept(one, event(one.id))))).toEqual(sent.map(() => true));
    const rows = new Map(
      (await database.db.select().from(database.db.tables.webhookDeliveries)).map((row) => [row.id, row]),
    );
    for (const one of sent)
      expect(rows.get(one.id)).toEqual({ ...one, eventKey: Buffer.from(eventKeyOf(`id:${one.id}`)) });
  });

  test("repeats among them are duplicates; a batch is accepted if one of its events is new, and only new events bring jobs", async () => {
    const [first, repeat, mixed] = [delivery(100), delivery(101), delivery(102)];
    const results = await Promise.all([
      accept(first, event("known", "paid")),
      accept(repeat, event("known", "paid")),
      accept(mixed, event("known", "paid"), event("other"), event("handled", "paid", "*")),
    ]);
    expect(results).toEqual([true, false, true]);
    const jobs = await database.db.select().from(database.db.tables.jobs);
    expect(jobs.map(({ id }) => id).sort()).toEqual([`${first.id}-0-0`, `${mixed.id}-2-0`, `${mixed.id}-2-1`]);
    const rows = await database.db.select().from(database.db.tables.webhookDeliveries);
    expect(rows.find(({ id }) => id === repeat.id)).toMatchObject({ outcome: "duplicate", reason: "duplicate" });
  });

  test("one that cannot be written fails alone", async () => {
    const [taken, fine] = [delivery(200), delivery(201)];
    await accept(taken, event("200"));
    const [again, next] = await Promise.allSettled([accept(taken, event("200 again")), accept(fine, event("201"))]);
    expect(again.status).toBe("rejected");
    expect(next).toEqual({ status: "fulfilled", value: true });
    const keys = (await database.db.select().from(database.db.tables.webhookEvents)).map(({ key }) =>
      key.toString("hex"),
    );
    expect(keys).not.toContain(Buffer.from(eventKeyOf("id:200 again")).toString("hex"));
  });
});
