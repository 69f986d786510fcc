import { fromDigits, fromHex, propertyOf, shortText } from "../encoding.ts";
import type { Incoming } from "../incoming.ts";
import type { Adapter, Claim, Signature } from "./adapter.ts";
import { claimOf, MAX_SIGNATURE_HEADER_LENGTH, macOf, textKey } from "./signatures.ts";

const HEADER = "stripe-signature";

/** `Stripe-Signature: t=…,v1=…[,v1=…][,v0=…]`: HMAC-SHA256 over `t.body`, in hex. Only `v1` counts. */
function readClaim({ headers, body }: Incoming): Claim {
  const header = headers.get(HEADER)?.trim();
  if (!header) return { kind: "missing" };
  if (header.length > MAX_SIGNATURE_HEADER_LENGTH) return { kind: "malformed", problem: "it is longer than 8 KB" };

  const times: string[] = [];
  const signatures: Signature[] = [];
  const problems: string[] = [];
  const unknownSchemes: string[] = [];
  for (const item of header.split(",")) {
    const [name = "", value = ""] = splitOnce(item.trim(), "=");
    if (name === "t") times.push(value);
    else if (name === "v1") {
      const bytes = fromHex(value);
      if (bytes?.length === 32) signatures.push({ algorithm: "hmac-sha256", bytes });
      else problems.push("a v1 signature is not 64 lower-case hex digits");
    } else if (/^v\d+[a-z]?$/.test(name)) unknownSchemes.push(name);
  }

  const [time] = times;
  const timestamp = time === undefined ? undefined : fromDigits(time);
  if (time === undefined || timestamp === undefined || times.length > 1) {
    return { kind: "malformed", problem: "it needs exactly one t= with a Unix time in digits" };
  }
  return claimOf({ signatures, problems, unknownSchemes, signed: [`${time}.`, body], timestamp });
}

function splitOnce(text: string, separator: string): [string, string] {
  const at = text.indexOf(separator);
  return at < 0 ? [text, ""] : [text.slice(0, at), text.slice(at + separator.length)];
}

export const stripe: Adapter = {
  name: "Stripe",
  signatureName: "the Stripe-Signature header",
  toleranceSeconds: 300,
  contentTypes: ["application/json"],
  readClaim,
  // Unlike in Standard Webhooks, the whole `whsec_…` string is the key, not base64.
  keysOf: textKey,
  identify: (_incoming, payload) => [
    {
      id: shortText(propertyOf(payload, "id")),
      type: shortText(propertyOf(payload, "type")),
      objectKey: shortText(propertyOf(propertyOf(propertyOf(payload, "data"), "object"), "id")),
    },
  ],
  sign: ({ body, secret, timestamp }) => {
    const mac = macOf("hmac-sha256", secret, [`${timestamp}.`, body]).toString("hex");
    return { headers: { "content-type": "application/json; charset=utf-8", [HEADER]: `t=${timestamp},v1=${mac}` }, body };
  },
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
      items: { object: "list", data: [{ id: "si_sample", current_period_end: 1893456000, price: { id: "price_sample" } }] },
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
  return { id: "{id}", object: "event", api_version: "2026-10-29", created: 1767225600, livemode: false, type, data: { object } };
}
