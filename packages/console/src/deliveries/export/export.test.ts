import { createWebhookStore } from "@gatehouse/db/stores/webhooks/store";
import { engines } from "@gatehouse/db/testing/engines";
import { type Delivery, deliveryIdsFrom, eventKeyOf } from "@gatehouse/webhooks";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Installation, NOON, openInstallation } from "../../testing/callers.ts";

const COUNT = 130;
const secondOf = (index: number) => NOON - 1_000 + index;
const idOf = (index: number) => `${deliveryIdsFrom(secondOf(index))}-7000-8000-0000`;

const hit = (index: number, body: Uint8Array): Delivery => ({
  id: idOf(index),
  endpoint: index % 2 === 0 ? "stripe" : "stripe-staging",
  environment: index % 2 === 0 ? "production" : "staging",
  receivedAt: secondOf(index),
  method: "POST",
  outcome: "accepted",
  reason: "accepted",
  status: 200,
  eventType: "invoice.paid",
  eventId: `evt_${index}`,
  secretId: null,
  mode: null,
  skewSeconds: 1,
  headers: { "content-type": "application/json" },
  body,
  bodyBytes: body.byteLength,
  ackMs: 3,
  address: "192.0.2.7",
  source: "http",
});

describe.each(engines)("exports of deliveries, CO-85, on $name", (engine) => {
  let it: Installation;
  type Role = "admin" | "developer" | "viewer";
  type Draft = Parameters<ReturnType<Installation["as"]>["deliveries"]["export"]>[0];

  beforeAll(async () => {
    it = await openInstallation(engine);
    const { db, seal } = it.deps;
    const endpoint = { provider: "stripe", environment: "staging", name: null, settings: {}, createdAt: NOON } as const;
    await db.insert(db.tables.webhookEndpoints).values({ ...endpoint, slug: "stripe-staging" });
    const store = createWebhookStore(db, seal);
    for (let index = 0; index < COUNT; index++) {
      const body = index < 4 ? Buffer.alloc(1_000_000, 32) : Buffer.from('{"ok":true}');
      const event = {
        key: eventKeyOf(`id:evt_${index}`),
        id: `evt_${index}`,
        type: "invoice.paid",
        objectKey: null,
        handlers: [],
      };
      await store.acceptDelivery(hit(index, body), [event]);
    }
  });
  afterAll(() => it.close());

  async function exportAs(role: Role, draft: Draft) {
    const { deliveries } = it.as(role);
    const { ticket } = await deliveries.export(draft);
    const pages: Awaited<ReturnType<typeof deliveries.exportPage>>["items"][] = [];
    let cursor: string | null = null;
    do {
      const page: Awaited<ReturnType<typeof deliveries.exportPage>> = await deliveries.exportPage({ ticket, cursor });
      pages.push(page.items);
      cursor = page.nextCursor;
    } while (cursor !== null);
    return { pages, items: pages.flat() };
  }

  test("hold every matching delivery once, newest first, with times in UTC", async () => {
    const { items } = await exportAs("viewer", {});
    expect(items.map(({ id }) => id)).toEqual(Array.from({ length: COUNT }, (_, back) => idOf(COUNT - 1 - back)));
    expect(items[0]).toMatchObject({
      receivedAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/),
      address: "192.0.2.0/24",
    });
    expect(items[0]).not.toHaveProperty("payload");
    expect((await exportAs("viewer", { filter: { environment: "staging" } })).items).toHaveLength(COUNT / 2);
  });

  test("hold the selected deliveries", async () => {
    const ids = [5, 129, 7, ...Array.from({ length: 110 }, (_, index) => index + 10)].map(idOf);
    const { items } = await exportAs("viewer", { ids });
    expect(items.map(({ id }) => id)).toEqual([...new Set(ids)].sort().reverse());
  });

  test("have payloads only for those who may read them", async () => {
    await expect(exportAs("viewer", { contents: true })).rejects.toMatchObject({ code: "FORBIDDEN" });
    const contents = async (role: Role) => {
      const { items } = await exportAs(role, { contents: true, ids: [idOf(10), idOf(11)] });
      return items.map(({ environment, payload, headers }) => [environment, payload?.text ?? null, headers !== null]);
    };
    expect(await contents("developer")).toEqual([
      ["staging", '{"ok":true}', true],
      ["production", null, false],
    ]);
    expect(await contents("admin")).toEqual([
      ["staging", '{"ok":true}', true],
      ["production", '{"ok":true}', true],
    ]);
  });

  test("have smaller pages where payloads are large", async () => {
    const { pages, items } = await exportAs("admin", { contents: true, filter: { to: secondOf(3) } });
    expect(pages.map((page) => page.length)).toEqual([2, 2]);
    expect(items.map(({ id }) => id)).toEqual([3, 2, 1, 0].map(idOf));
  });

  test("end with the ticket: it is for one user, for an hour, and cannot be made up", async () => {
    const { ticket } = await it.as("admin").deliveries.export({});
    const page = (role: Role, given = ticket) => it.as(role).deliveries.exportPage({ ticket: given, cursor: null });
    await expect(page("viewer")).rejects.toMatchObject({ code: "NOT_FOUND" });
    await expect(page("admin", it.deps.seal.seal("another purpose", "{}"))).rejects.toMatchObject({
      code: "NOT_FOUND",
    });
    await expect(page("admin", `${ticket.slice(0, -1)}_`)).rejects.toMatchObject({ code: "NOT_FOUND" });
  });

  test("leave one audit row each, with the filter and whether payloads were in it", async () => {
    const { db } = it.deps;
    const { tables } = db;
    const earlier = new Set((await db.select().from(tables.audit)).map(({ id }) => id));
    await exportAs("developer", { contents: true, filter: { environment: "staging", outcome: "accepted" } });
    const rows = (await db.select().from(tables.audit)).filter(({ id }) => !earlier.has(id));
    expect(rows).toMatchObject([
      {
        action: "webhook.export",
        actorId: "developer",
        environment: "staging",
        detail: { contents: true, filter: { environment: "staging", outcome: "accepted" } },
      },
    ]);
  });
});
