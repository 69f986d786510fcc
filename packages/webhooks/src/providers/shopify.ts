import { idText, shortText, valueAt } from "../encoding.ts";
import type { Incoming } from "../incoming.ts";
import type { Adapter } from "./adapter.ts";
import { macOf, readMacHeader, textKey } from "./signatures.ts";

/**
 * Webhooks have `X-Shopify-…` headers, the newer Events the same without `X-`. Those with the signature count, for all
 * headers.
 */
function prefixOf({ headers }: Pick<Incoming, "headers">): "x-shopify" | "shopify" {
  return !headers.has("x-shopify-hmac-sha256") && headers.has("shopify-hmac-sha256") ? "shopify" : "x-shopify";
}

/**
 * What an event is about. A stock level has no id of its own. One action can change several objects, each with the same
 * event id and topic.
 */
const objectIds = (payload: unknown) =>
  ["id", "inventory_item_id", "location_id"].map((name) => idText(valueAt(payload, name)));

export const shopify: Adapter = {
  name: "Shopify",
  signatureName: "the X-Shopify-Hmac-Sha256 header",
  toleranceSeconds: null,
  contentTypes: ["application/json"],
  readClaim: (incoming) =>
    readMacHeader(incoming, {
      header: `${prefixOf(incoming)}-hmac-sha256`,
      algorithm: "hmac-sha256",
      encoding: "base64",
    }),
  keysOf: textKey,
  // Shopify signs the body alone, so id and topic are only as trustworthy as the connection.
  identify: (incoming, payload) => {
    const header = (name: string) => shortText(incoming.headers.get(`${prefixOf(incoming)}-${name}`));
    const [topic, event, webhook] = [header("topic"), header("event-id"), header("webhook-id")];
    const object = idText(valueAt(payload, "id"));
    return [
      {
        id: event ?? webhook,
        type: topic,
        objectKey: topic === null || object === null ? null : shortText(`${topic.split("/", 1)}:${object}`),
        // A test order or notification; nothing marks the others as live, such as those of a development store.
        mode: header("test") === "true" || valueAt(payload, "test") === true ? "test" : undefined,
        // One action of a merchant is one event, with a topic for each of its effects and a webhook id for each
        // subscription to a topic.
        ...(event !== null && { dedupeText: JSON.stringify([event, topic, ...objectIds(payload)]) }),
      },
    ];
  },
  // Shopify's app review rejects apps that answer a wrong signature with anything but 401.
  answers: { statuses: { signature_mismatch: 401, signature_malformed: 401 } },
  sign: ({ body, secret, type, id }) => {
    const headers = {
      "content-type": "application/json",
      "x-shopify-hmac-sha256": macOf("hmac-sha256", secret, [body]).toString("base64"),
      "x-shopify-event-id": id,
      "x-shopify-webhook-id": id,
      "x-shopify-shop-domain": "example.myshopify.com",
      "x-shopify-api-version": "2026-10",
      ...(type !== null && { "x-shopify-topic": type }),
    };
    return { headers, body };
  },
  facts: {
    ackTimeoutMs: 5000,
    retries: "Shopify retries 8 times within 4 hours, and then deletes a subscription that was made through its API.",
    givesUpAfterSeconds: 4 * 3600,
    resendWindowDays: null,
    secretHelp:
      "Dev Dashboard → your app → Settings → Client secret. Webhooks made in the shop's admin show theirs under Settings → Notifications → Webhooks",
    docsUrl: "https://shopify.dev/docs/apps/build/webhooks",
    dedupe: "provider_id",
    reconcile: false,
    keepDays: 90,
  },
  samples: {
    "orders/create": {
      id: 820982911946154,
      name: "#1001",
      currency: "EUR",
      total_price: "19.00",
      financial_status: "paid",
      line_items: [],
    },
    "app/uninstalled": { id: 548380009, name: "Example Shop", domain: "example.myshopify.com" },
  },
};
