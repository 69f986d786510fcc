import { createHmac } from "node:crypto";
import { describe, expect, test } from "vitest";
import { enabled, receiver } from "../testing/scene.ts";
import { checkout } from "./checkout.ts";
import { coinbaseCommerce } from "./coinbase-commerce.ts";

const SECRET = "shared_secret";

async function deliver(provider: "coinbase-commerce" | "checkout", header: string, bodies: readonly string[]) {
  const { send, store } = receiver({ [provider]: enabled(SECRET) });
  for (const body of bodies) {
    const mac = createHmac("sha256", SECRET).update(body).digest("hex");
    await send(provider, { body, headers: { "content-type": "application/json", [header]: mac } });
  }
  return store.deliveries.map(({ reason, eventId, eventType }) => [reason, eventId, eventType]);
}

describe("Coinbase Commerce", () => {
  test("a retry is a duplicate, although its number is in the body", async () => {
    const attempt = (attempt_number: number) =>
      JSON.stringify({ attempt_number, event: { id: "e1", type: "charge:confirmed" } });
    expect(await deliver("coinbase-commerce", "x-cc-webhook-signature", [attempt(1), attempt(2)])).toEqual([
      ["accepted", "e1", "charge:confirmed"],
      ["duplicate", "e1", "charge:confirmed"],
    ]);
  });

  test("an id outside the event identifies it if there is none inside; a number does not", async () => {
    const outside = (id: unknown) => JSON.stringify({ id, event: { type: "charge:pending" } });
    expect(await deliver("coinbase-commerce", "x-cc-webhook-signature", [outside("w1"), outside(1)])).toEqual([
      ["accepted", "w1", "charge:pending"],
      ["accepted", null, "charge:pending"],
    ]);
  });

  test("handlers can order events by the charge", () => {
    const incoming = { headers: new Headers() };
    const event = { id: "e1", type: "charge:pending", data: { code: "66BEOV2A" } };
    expect(coinbaseCommerce.identify(Object(incoming), { event })).toMatchObject([{ objectKey: "66BEOV2A" }]);
  });
});

describe("Checkout.com", () => {
  test("the MAC is hex over the raw bytes, and the id is the event's", async () => {
    const body = '{ "id": "evt_1", "type": "payment_captured", "data": { "reference": "©®™" } }';
    expect(await deliver("checkout", "cko-signature", [body, body])).toEqual([
      ["accepted", "evt_1", "payment_captured"],
      ["duplicate", "evt_1", "payment_captured"],
    ]);
  });

  test("handlers can order events by the payment", () => {
    expect(checkout.identify(Object({}), { id: "evt_1", type: "payment_captured", data: { id: "pay_1" } })).toEqual([
      { id: "evt_1", type: "payment_captured", objectKey: "pay_1" },
    ]);
  });
});
