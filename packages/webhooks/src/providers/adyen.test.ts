import { describe, expect, test } from "vitest";
import { receive } from "../receive.ts";
import { FIXTURES } from "../testing/fixtures.ts";
import { enabled, NOW, receiver } from "../testing/scene.ts";
import { signedBy } from "../testing/signers.ts";

const { secret, otherSecret } = FIXTURES.adyen;

type Item = Record<string, unknown>;
const item = (pspReference: string, change: Item = {}): Item => ({
  eventCode: "AUTHORISATION",
  success: "true",
  pspReference,
  merchantAccountCode: "ExampleMerchant",
  merchantReference: "order-1",
  amount: { value: 1900, currency: "EUR" },
  ...change,
});

/** A standard webhook with these items, each signed. */
function batch(items: readonly Item[], key = secret) {
  const body = JSON.stringify({
    live: "false",
    notificationItems: items.map((one) => ({ NotificationRequestItem: one })),
  });
  return signedBy("adyen", { body, secret: key, timestamp: NOW });
}

const itemsIn = ({ body }: { body: Uint8Array }): Item[] =>
  JSON.parse(new TextDecoder().decode(body)).notificationItems.map(
    (one: Record<string, Item>) => one["NotificationRequestItem"],
  );

const unsigned = (items: readonly unknown[]) => ({
  headers: { "content-type": "application/json" },
  body: JSON.stringify({ notificationItems: items.map((one) => ({ NotificationRequestItem: one })) }),
});

describe("Adyen's standard webhooks", () => {
  test("every item of a batch is an event of its own, and the answer is [accepted]", async () => {
    const { send, store } = receiver({ adyen: enabled(secret) });
    const response = await send(
      "adyen",
      batch([item("A"), item("B"), item("A", { eventCode: "CAPTURE", originalReference: "X" })]),
    );
    expect([response.status, await response.text()]).toEqual([200, "[accepted]"]);
    expect(response.headers.get("gatehouse-delivery-id")).toBe(store.deliveries[0]?.id);
    expect(store.events.size).toBe(3);
    expect(store.deliveries).toMatchObject([
      { reason: "accepted", eventType: "AUTHORISATION", eventId: "A:AUTHORISATION:true" },
    ]);
  });

  test("a batch with one new item is new; with none it is a duplicate, and the answer is [accepted] all the same", async () => {
    const { send, store } = receiver({ adyen: enabled(secret) });
    for (const items of [[item("A")], [item("A"), item("B")], [item("B"), item("A")]]) {
      expect(await (await send("adyen", batch(items))).text()).toBe("[accepted]");
    }
    expect(store.deliveries.map(({ reason }) => reason)).toEqual(["accepted", "accepted", "duplicate"]);
    expect(store.events.size).toBe(2);
  });

  test("an item that a batch contains twice is handled once", async () => {
    const { deps, store } = receiver({ adyen: enabled(secret) });
    const accepted: number[] = [];
    const { acceptDelivery } = store;
    store.acceptDelivery = (delivery, events) => {
      accepted.push(events.length);
      return acceptDelivery(delivery, events);
    };
    const { headers, body } = batch([item("A"), item("B"), item("A")]);
    const request = new Request("https://gatehouse.test/api/webhooks/adyen", { method: "POST", headers, body });
    await receive(request, "adyen", deps, { address: null });
    expect(accepted).toEqual([2]);
  });

  test("the same item with another result is another event", async () => {
    const { send, store } = receiver({ adyen: enabled(secret) });
    await send("adyen", batch([item("A", { success: "false" })]));
    await send("adyen", batch([item("A")]));
    expect(store.events.size).toBe(2);
  });

  test.each<[string, (genuine: Item[]) => unknown[], string]>([
    [
      "one item under another secret",
      ([first]) => [first, ...itemsIn(batch([item("B")], otherSecret))],
      "signature_mismatch",
    ],
    [
      "one item with the signature of another",
      ([first, second]) => [first, { ...second, additionalData: first?.["additionalData"] }],
      "signature_mismatch",
    ],
    ["one item without a signature", ([first]) => [first, item("B")], "signature_missing"],
    ["one item that is null", ([first]) => [first, null], "signature_missing"],
    [
      "an amount that is an object",
      ([first]) => [{ ...first, amount: { value: {}, currency: "EUR" } }],
      "signature_malformed",
    ],
    [
      "a signature that is a number",
      ([first]) => [{ ...first, additionalData: { hmacSignature: 5 } }],
      "signature_malformed",
    ],
    [
      "a signature of 31 bytes",
      ([first]) => [{ ...first, additionalData: { hmacSignature: Buffer.alloc(31).toString("base64") } }],
      "signature_malformed",
    ],
    [
      "5,000 items",
      ([first]) => Array.from({ length: 5000 }, () => ({ additionalData: first?.["additionalData"] })),
      "signature_malformed",
    ],
    ["no items", () => [], "signature_missing"],
  ])("%s → the whole batch is refused", async (_, change, reason) => {
    const { send, store } = receiver({ adyen: enabled(secret) });
    await send("adyen", unsigned(change(itemsIn(batch([item("A"), item("B")])))));
    expect(store.deliveries).toMatchObject([{ reason, status: 400 }]);
    expect(store.events.size).toBe(0);
  });

  test("fields that Adyen leaves out count as empty", async () => {
    const { send, store } = receiver({ adyen: enabled(secret) });
    await send("adyen", batch([{ eventCode: "REPORT_AVAILABLE", pspReference: "R", success: "true" }]));
    expect(store.deliveries).toMatchObject([{ reason: "accepted" }]);
  });

  test("a key that is not hex → secret_not_configured", async () => {
    const { send, store } = receiver({ adyen: enabled("not hex"), "adyen-platform": enabled("zz") });
    await send("adyen", batch([item("A")]));
    expect(store.deliveries).toMatchObject([{ reason: "secret_not_configured" }]);
  });
});
