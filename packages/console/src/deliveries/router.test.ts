import { createWebhookStore } from "@gatehouse/db/stores/webhooks/store";
import { engines } from "@gatehouse/db/testing/engines";
import { type Delivery, deliveryIdsFrom, eventKeyOf } from "@gatehouse/webhooks";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { ADMIN, type Installation, NOON, openInstallation } from "../testing/callers.ts";
import { configureEndpoint } from "../webhook-endpoints/configure.ts";

/** The id of the delivery with this letter, at that second. */
const idOf = (letter: string, at = NOON) => `${deliveryIdsFrom(at)}-7000-8000-${letter}`;
const letterOf = ({ id }: { id: string }) => id.at(-1) ?? "";

const hit = (letter: string, { receivedAt = NOON, ...change }: Partial<Delivery> = {}): Delivery => ({
  id: idOf(letter, receivedAt),
  endpoint: "stripe",
  environment: "production",
  receivedAt,
  method: "POST",
  outcome: "accepted",
  reason: "accepted",
  status: 200,
  eventType: "invoice.paid",
  eventId: `evt_${letter}`,
  secretId: null,
  mode: null,
  skewSeconds: 1,
  headers: { "content-type": "application/json" },
  body: Buffer.from('{"ok":true}'),
  bodyBytes: 11,
  ackMs: 3,
  address: "192.0.2.1",
  source: "http",
  ...change,
});
const event = (id: string) => ({
  key: eventKeyOf(`id:${id}`),
  id,
  type: "invoice.paid",
  objectKey: null,
  handlers: [],
});
const forged = { outcome: "rejected", reason: "signature_mismatch", status: 400 } as const;

describe.each(engines)("deliveries, on $name", (engine) => {
  let it: Installation;
  const list = (input: Parameters<ReturnType<Installation["as"]>["deliveries"]["list"]>[0]) =>
    it.as("viewer").deliveries.list(input);
  const ids = async (input: Parameters<typeof list>[0]) => (await list(input)).items.map(letterOf);

  beforeAll(async () => {
    it = await openInstallation(engine);
    const store = createWebhookStore(it.deps.db, it.deps.seal);
    await configureEndpoint({ provider: "stripe", secrets: [{ secret: "whsec_test_0123456789" }] }, ADMIN, it.deps);
    const secretId = (await store.findEndpoint("stripe"))?.secrets[0]?.id ?? null;

    await store.acceptDelivery(hit("a", { secretId }), [event("evt_a")]);
    await store.acceptDelivery(hit("b", { receivedAt: NOON + 1, eventId: "evt_a" }), [event("evt_a")]);
    await store.recordRejection(
      hit("c", { ...forged, receivedAt: NOON + 2, body: Buffer.from([0xff, 0x00]), bodyBytes: 9_000 }),
    );
    await store.acceptDelivery(hit("d", { endpoint: "svix", receivedAt: NOON + 2, eventType: "user.created" }), [
      event("evt_d"),
    ]);
    await store.recordRejection(
      hit("e", {
        ...forged,
        reason: "signature_missing",
        receivedAt: NOON + 3,
        eventType: null,
        eventId: null,
        bodyBytes: null,
      }),
    );
  });
  afterAll(() => it.close());

  test("newest first; pages have no gap or overlap, even within one second", async () => {
    const pages: string[][] = [];
    let cursor: string | null = null;
    do {
      const page: Awaited<ReturnType<typeof list>> = await list({ limit: 2, cursor });
      pages.push(page.items.map(letterOf));
      cursor = page.nextCursor;
    } while (cursor !== null);
    expect(pages).toEqual([["e", "d"], ["c", "b"], ["a"]]);
  });

  test.each([
    [{ provider: "svix" }, ["d"]],
    [{ outcome: "duplicate" }, ["b"]],
    [{ outcome: "rejected", provider: "stripe" }, ["e", "c"]],
    [{ reason: "signature_missing" }, ["e"]],
    [{ eventType: "user.created" }, ["d"]],
    [{ eventId: "evt_a" }, ["b", "a"]],
    [{ from: NOON + 2 }, ["e", "d", "c"]],
    [{ from: NOON + 1, to: NOON + 1 }, ["b"]],
    [{ provider: "nobody" }, []],
  ] as const)("filters by %o", async (filter, expected) => {
    expect(await ids(filter)).toEqual(expected);
  });

  test("CO-02 admins see addresses whole, others the network", async () => {
    const addressFor = async (role: "admin" | "developer" | "viewer") =>
      (await it.as(role).deliveries.list({ limit: 1 })).items[0]?.address;
    expect([await addressFor("admin"), await addressFor("developer"), await addressFor("viewer")]).toEqual([
      "192.0.2.1",
      "192.0.2.0/24",
      "192.0.2.0/24",
    ]);
  });

  test("the filters offer configured providers and received values", async () => {
    expect(await it.as("viewer").deliveries.facets()).toEqual({
      providers: ["stripe", "svix"],
      endpoints: ["stripe", "svix"],
      eventTypes: ["invoice.paid", "user.created"],
    });
  });
});
