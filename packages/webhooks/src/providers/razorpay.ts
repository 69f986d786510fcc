import { shortText, valueAt } from "../encoding.ts";
import type { Adapter } from "./adapter.ts";
import { type MacHeader, macOf, readMacHeader, textKey } from "./signatures.ts";

const SCHEME: MacHeader = { header: "x-razorpay-signature", algorithm: "hmac-sha256", encoding: "hex" };

export const razorpay: Adapter = {
  name: "Razorpay",
  signatureName: "the X-Razorpay-Signature header",
  toleranceSeconds: null,
  contentTypes: ["application/json"],
  readClaim: (incoming) => readMacHeader(incoming, SCHEME),
  keysOf: textKey,
  typedSecrets: true,
  identify: ({ headers }, payload) => {
    const kind = shortText(valueAt(payload, "contains", "0")) ?? "";
    return [
      {
        id: shortText(headers.get("x-razorpay-event-id")),
        type: shortText(valueAt(payload, "event")),
        objectKey: shortText(valueAt(payload, "payload", kind, "entity", "id")),
      },
    ];
  },
  sign: ({ body, secret, id }) => {
    const mac = macOf("hmac-sha256", secret, [body]).toString("hex");
    return {
      headers: { "content-type": "application/json", "x-razorpay-signature": mac, "x-razorpay-event-id": id },
      body,
    };
  },
  facts: {
    ackTimeoutMs: 5000,
    retries: "Razorpay retries with increasing delays for 24 hours, and then disables the webhook.",
    givesUpAfterSeconds: 86_400,
    disablesAfterSeconds: 86_400,
    resendWindowDays: 7,
    secretHelp: "Account & Settings → Webhooks → your webhook → the secret that you typed",
    docsUrl: "https://razorpay.com/docs/webhooks/",
    dedupe: "provider_id",
    reconcile: false,
    keepDays: 90,
  },
  samples: {
    "payment.captured": event("payment.captured", "payment", {
      id: "pay_sample",
      entity: "payment",
      amount: 190000,
      currency: "INR",
      status: "captured",
      order_id: "order_sample",
    }),
    "subscription.charged": event("subscription.charged", "subscription", {
      id: "sub_sample",
      entity: "subscription",
      status: "active",
      plan_id: "plan_sample",
      current_end: 1893456000,
    }),
  },
};

function event(type: string, kind: string, entity: unknown) {
  const payload = { [kind]: { entity } };
  return { entity: "event", account_id: "acc_sample", event: type, contains: [kind], payload, created_at: 1767225600 };
}
