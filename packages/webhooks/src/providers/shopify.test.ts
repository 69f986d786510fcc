import { describe, expect, test } from "vitest";
import { FIXTURES } from "../testing/fixtures.ts";
import { enabled, NOW, receiver } from "../testing/scene.ts";
import { signedBy } from "../testing/signers.ts";

const { secret } = FIXTURES.shopify;
const sent = signedBy("shopify", { body: '{"id":1}', secret, timestamp: NOW, id: "w1", type: "orders/create" });
const renamed = Object.fromEntries(Object.entries(sent.headers).map(([name, value]) => [name.replace(/^x-/, ""), value]));

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

  test("a genuine signature under one name does not vouch for headers under the other", async () => {
    const { send, store } = receiver({ shopify: enabled(secret) });
    const headers = { ...renamed, "x-shopify-topic": "app/uninstalled", "x-shopify-webhook-id": "w2" };
    await send("shopify", { headers, body: sent.body });
    expect(store.deliveries).toMatchObject([{ eventId: "w1", eventType: "orders/create" }]);
  });
});
