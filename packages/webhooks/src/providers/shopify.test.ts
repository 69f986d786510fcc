import { describe, expect, test } from "vitest";
import { FIXTURES } from "../testing/fixtures.ts";
import { enabled, NOW, receiver } from "../testing/scene.ts";
import { signedBy } from "../testing/signers.ts";

const { secret } = FIXTURES.shopify;
const sent = signedBy("shopify", { body: '{"id":1}', secret, timestamp: NOW, id: "w1", type: "orders/create" });
const delivered = (headers: Record<string, string>, body = '{"id":1}') => {
  const message = signedBy("shopify", { body, secret, timestamp: NOW, id: "w1", type: "orders/create" });
  return { ...message, headers: { ...message.headers, ...headers } };
};
const ACTION = { "x-shopify-event-id": "e1" };
const renamed = Object.fromEntries(
  Object.entries(sent.headers).map(([name, value]) => [name.replace(/^x-/, ""), value]),
);

describe("Shopify", () => {
  test.each([
    ["does not match", Buffer.alloc(32).toString("base64"), "signature_mismatch"],
    ["is not base64", "not base64", "signature_malformed"],
  ])("a signature that %s → 401, which Shopify's app review expects", async (_, value, reason) => {
    const { send, store } = receiver({ shopify: enabled(secret) });
    const response = await send("shopify", { ...sent, headers: { ...sent.headers, "x-shopify-hmac-sha256": value } });
    expect(response.status).toBe(401);
    expect(store.deliveries).toMatchObject([{ reason, status: 401, outcome: "rejected" }]);
  });

  test("no signature → 400, as for every provider", async () => {
    const { send } = receiver({ shopify: enabled(secret) });
    expect((await send("shopify", { headers: { "content-type": "application/json" }, body: "{}" })).status).toBe(400);
  });

  test("the headers of Events, without X-, are read too", async () => {
    const { send, store } = receiver({ shopify: enabled(secret) });
    expect((await send("shopify", { headers: renamed, body: sent.body })).status).toBe(200);
    expect(store.deliveries).toMatchObject([{ eventId: "w1", eventType: "orders/create" }]);
  });

  test.each([
    [
      "the same topic to two subscriptions, each with a webhook id of its own",
      [{ ...ACTION, "x-shopify-webhook-id": "w2" }],
      ["duplicate"],
    ],
    ["another topic of the same action", [{ ...ACTION, "x-shopify-topic": "orders/paid" }], ["accepted"]],
    ["another action on the object", [{ "x-shopify-event-id": "e2" }], ["accepted"]],
    [
      "a sender without event ids, by the webhook id",
      [{ "x-shopify-event-id": "" }, { "x-shopify-event-id": "" }],
      ["accepted", "duplicate"],
    ],
  ])("the event id and the topic name the event: %s", async (_, others, reasons) => {
    const { send, store } = receiver({ shopify: enabled(secret) });
    for (const headers of [ACTION, ...others]) await send("shopify", delivered(headers));
    expect(store.deliveries.map(({ reason }) => reason)).toEqual(["accepted", ...reasons]);
    expect(store.deliveries[0]).toMatchObject({ eventId: "e1", eventType: "orders/create" });
  });

  test.each([
    ["objects", ['{"id":1}', '{"id":2}']],
    ["stock levels", ['{"inventory_item_id":1,"location_id":1}', '{"inventory_item_id":1,"location_id":2}']],
  ])("one action on two %s is two events", async (_, bodies) => {
    const { send, store } = receiver({ shopify: enabled(secret) });
    for (const body of bodies) await send("shopify", delivered(ACTION, body));
    expect(store.deliveries.map(({ reason }) => reason)).toEqual(["accepted", "accepted"]);
  });

  test("a genuine signature under one name does not vouch for headers under the other", async () => {
    const { send, store } = receiver({ shopify: enabled(secret) });
    const headers = {
      ...renamed,
      "x-shopify-topic": "app/uninstalled",
      "x-shopify-event-id": "e2",
      "x-shopify-webhook-id": "w2",
    };
    await send("shopify", { headers, body: sent.body });
    expect(store.deliveries).toMatchObject([{ eventId: "w1", eventType: "orders/create" }]);
  });
});
