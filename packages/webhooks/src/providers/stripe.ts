import { shortText, valueAt } from "../encoding.ts";
import { modeOfLive } from "../mode.ts";
import type { Adapter } from "./adapter.ts";
import { apiBaseUrl, apiBaseUrlProblems } from "./api-settings.ts";
import { textKey } from "./signatures.ts";
import { readTimedHeader, signTimedHeader, type TimedHeader } from "./timed-header.ts";

/** `Stripe-Signature: t=…,v1=…[,v1=…][,v0=…]` over `t.body`. Only `v1` counts. */
const SCHEME: TimedHeader = {
  header: "stripe-signature",
  separator: ",",
  time: "t",
  scheme: "v1",
  otherSchemes: /^v\d+[a-z]?$/,
  joint: ".",
  unit: "s",
};

export const stripe: Adapter = {
  name: "Stripe",
  signatureName: "the Stripe-Signature header",
  toleranceSeconds: 300,
  contentTypes: ["application/json"],
  readClaim: (incoming) => readTimedHeader(incoming, SCHEME),
  // Unlike in Standard Webhooks, the whole `whsec_…` string is the key, not base64.
  keysOf: textKey,
  identify: (_incoming, payload) => [
    {
      id: shortText(valueAt(payload, "id")),
      type: shortText(valueAt(payload, "type")),
      objectKey: shortText(valueAt(payload, "data", "object", "id")),
      mode: modeOfLive(valueAt(payload, "livemode")),
    },
  ],
  settingsFields: [apiBaseUrl("https://api.stripe.com")],
  settingsProblems: apiBaseUrlProblems,
  sign: (message) => signTimedHeader(message, SCHEME),
  facts: {
    ackTimeoutMs: null,
    retries: "Stripe retries for up to 3 days with increasing delays; in a sandbox, 3 times within a few hours.",
    givesUpAfterSeconds: 3 * 86_400,
    resendWindowDays: 30,
    secretHelp: "Workbench → Webhooks → your endpoint → Signing secret, whsec_…",
    docsUrl: "https://docs.stripe.com/webhooks",
    dedupe: "provider_id",
    reconcile: true,
    keepDays: 90,
  },
  samples: {
    "invoice.paid": event("invoice.paid", {
      id: "in_sample",
      object: "invoice",
      customer: "cus_sample",
      currency: "eur",
      amount_paid: 1900,
      status: "paid",
      parent: { type: "subscription_details", subscription_details: { subscription: "sub_sample" } },
    }),
    "customer.subscription.updated": event("customer.subscription.updated", {
      id: "sub_sample",
      object: "subscription",
      customer: "cus_sample",
      status: "active",
      cancel_at_period_end: false,
      items: {
        object: "list",
        data: [{ id: "si_sample", current_period_end: 1893456000, price: { id: "price_sample" } }],
      },
    }),
    "checkout.session.completed": event("checkout.session.completed", {
      id: "cs_test_sample",
      object: "checkout.session",
      mode: "subscription",
      payment_status: "paid",
      customer: "cus_sample",
      subscription: "sub_sample",
    }),
  },
};

function event(type: string, object: unknown) {
  return {
    id: "{id}",
    object: "event",
    api_version: "2026-10-29",
    created: 1767225600,
    livemode: false,
    type,
    data: { object },
  };
}
