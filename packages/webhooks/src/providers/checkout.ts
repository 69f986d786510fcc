import { shortText, valueAt } from "../encoding.ts";
import { modeOfUrl } from "../mode.ts";
import type { Adapter } from "./adapter.ts";
import { type MacHeader, macOf, readMacHeader, textKey } from "./signatures.ts";

const SCHEME: MacHeader = { header: "cko-signature", algorithm: "hmac-sha256", encoding: "hex" };

/** `Cko-Signature`: HMAC-SHA256 in hex over the body. */
export const checkout: Adapter = {
  name: "Checkout.com",
  signatureName: "the Cko-Signature header",
  toleranceSeconds: null,
  contentTypes: ["application/json"],
  readClaim: (incoming) => readMacHeader(incoming, SCHEME),
  keysOf: textKey,
  typedSecrets: true,
  identify: (_incoming, payload) => [
    {
      id: shortText(valueAt(payload, "id")),
      type: shortText(valueAt(payload, "type")),
      objectKey: shortText(valueAt(payload, "data", "id")),
      mode: modeOfUrl(valueAt(payload, "_links", "self", "href"), "checkout.com"),
    },
  ],
  sign: ({ body, secret }) => {
    const mac = macOf("hmac-sha256", secret, [body]).toString("hex");
    return { headers: { "content-type": "application/json", [SCHEME.header]: mac }, body };
  },
  facts: {
    ackTimeoutMs: null,
    retries: "Checkout.com retries 8 times within 30 hours. It can also be asked to send an event again.",
    givesUpAfterSeconds: 30 * 3600,
    resendWindowDays: null,
    secretHelp: "Developers → Webhooks → your webhook → Signature key",
    docsUrl: "https://www.checkout.com/docs/developer-resources/webhooks",
    dedupe: "provider_id",
    reconcile: false,
    keepDays: 90,
  },
  samples: {
    payment_captured: event("payment_captured", {
      id: "pay_sample",
      action_id: "act_sample",
      reference: "ORD-1042",
      amount: 1900,
      currency: "EUR",
      response_code: "10000",
      response_summary: "Approved",
    }),
    payment_declined: event("payment_declined", {
      id: "pay_sample",
      action_id: "act_sample",
      reference: "ORD-1042",
      amount: 1900,
      currency: "EUR",
      response_code: "20051",
      response_summary: "Insufficient funds",
    }),
  },
};

function event(type: string, data: unknown) {
  return { id: "{id}", source: "gateway", type, timestamp: "2026-01-01T00:00:00.000Z", version: "1.0.29", data };
}
