import { idText, shortText, valueAt } from "../encoding.ts";
import { modeOfTest } from "../mode.ts";
import type { Adapter } from "./adapter.ts";
import { type MacHeader, macOf, readMacHeader, textKey } from "./signatures.ts";

const SCHEME: MacHeader = { header: "x-signature", algorithm: "hmac-sha256", encoding: "hex" };

export const lemonsqueezy: Adapter = {
  name: "Lemon Squeezy",
  signatureName: "the X-Signature header",
  toleranceSeconds: null,
  contentTypes: ["application/json"],
  readClaim: (incoming) => readMacHeader(incoming, SCHEME),
  keysOf: textKey,
  typedSecrets: true,
  identify: ({ headers }, payload) => {
    const [kind, id] = [idText(valueAt(payload, "data", "type")), idText(valueAt(payload, "data", "id"))];
    return [
      {
        id: null,
        // The body is signed; the header is not.
        type: shortText(valueAt(payload, "meta", "event_name")) ?? shortText(headers.get("x-event-name")),
        objectKey: kind !== null && id !== null ? shortText(`${kind}:${id}`) : null,
        mode: modeOfTest(valueAt(payload, "meta", "test_mode")),
      },
    ];
  },
  sign: ({ body, secret, type }) => {
    const mac = macOf("hmac-sha256", secret, [body]).toString("hex");
    return {
      headers: {
        "content-type": "application/json",
        "x-signature": mac,
        ...(type !== null && { "x-event-name": type }),
      },
      body,
    };
  },
  facts: {
    ackTimeoutMs: null,
    retries: "Lemon Squeezy retries 3 times, after 5, 25 and 125 seconds. Then the event is lost.",
    givesUpAfterSeconds: 155,
    resendWindowDays: null,
    secretHelp: "Settings → Webhooks → your webhook → Signing secret, 6 to 40 characters that you typed",
    docsUrl: "https://docs.lemonsqueezy.com/help/webhooks",
    dedupe: "body_hash",
    reconcile: false,
    keepDays: 90,
  },
  samples: {
    order_created: event("order_created", "orders", {
      status: "paid",
      total: 1900,
      currency: "EUR",
      user_email: "ada@example.com",
    }),
    subscription_updated: event("subscription_updated", "subscriptions", {
      status: "active",
      renews_at: "2030-01-01T00:00:00.000000Z",
    }),
  },
};

function event(name: string, kind: string, attributes: unknown) {
  // Events have no id of their own, so a second sample must differ in its body.
  return {
    meta: { event_name: name, test_mode: true, custom_data: { sample: "{id}" } },
    data: { type: kind, id: "1", attributes },
  };
}
