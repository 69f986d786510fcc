import { shortText, valueAt } from "../encoding.ts";
import type { Adapter } from "./adapter.ts";
import { type MacHeader, macOf, readMacHeader, textKey } from "./signatures.ts";

const SCHEME: MacHeader = { header: "x-cc-webhook-signature", algorithm: "hmac-sha256", encoding: "hex" };

/** `X-CC-Webhook-Signature`: HMAC-SHA256 in hex over the body. */
export const coinbaseCommerce: Adapter = {
  name: "Coinbase Commerce",
  signatureName: "the X-CC-Webhook-Signature header",
  toleranceSeconds: null,
  contentTypes: ["application/json"],
  readClaim: (incoming) => readMacHeader(incoming, SCHEME),
  keysOf: textKey,
  identify: (_incoming, payload) => {
    const event = valueAt(payload, "event");
    return [
      {
        // The number of the attempt is in the body too, so its hash differs for every retry. Newer events have their id
        // outside.
        id: shortText(valueAt(event, "id")) ?? shortText(valueAt(payload, "id")),
        type: shortText(valueAt(event, "type")),
        objectKey: shortText(valueAt(event, "data", "code")),
      },
    ];
  },
  sign: ({ body, secret }) => {
    const mac = macOf("hmac-sha256", secret, [body]).toString("hex");
    return { headers: { "content-type": "application/json", [SCHEME.header]: mac }, body };
  },
  facts: {
    ackTimeoutMs: null,
    retries: "Coinbase Commerce retries for up to 3 days with increasing delays of at most 1 hour. Only 200 counts.",
    givesUpAfterSeconds: 3 * 86_400,
    resendWindowDays: null,
    secretHelp: "Settings → Notifications → Webhook subscriptions → Show shared secret",
    docsUrl: "https://docs.cdp.coinbase.com/commerce/api-architecture/webhooks-security",
    dedupe: "provider_id",
    reconcile: false,
    keepDays: 90,
  },
  samples: {
    "charge:confirmed": notification("charge:confirmed", "COMPLETED"),
    "charge:pending": notification("charge:pending", "PENDING"),
  },
};

function notification(type: string, status: string) {
  const created_at = "2026-01-01T00:00:00Z";
  const pricing = { local: { amount: "19.00", currency: "EUR" }, settlement: { amount: "20.71", currency: "USDC" } };
  const data = {
    id: "charge_sample",
    code: "SAMPLE42",
    pricing,
    metadata: { order_id: "1042" },
    timeline: [{ time: created_at, status }],
  };
  const event = { id: "{id}", resource: "event", type, api_version: "2018-03-22", created_at, data };
  return { attempt_number: 1, scheduled_for: created_at, event };
}
