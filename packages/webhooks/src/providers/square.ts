import { isUrl } from "@gatehouse/runtime";
import { shortText, valueAt } from "../encoding.ts";
import type { AdapterSettings } from "../endpoint.ts";
import { modeOfWord } from "../mode.ts";
import type { Adapter } from "./adapter.ts";
import { apiBaseUrl, apiBaseUrlProblems } from "./api-settings.ts";
import { type MacHeader, macOf, readMacHeader, textKey } from "./signatures.ts";

const SCHEME: MacHeader = {
  header: "x-square-hmacsha256-signature",
  algorithm: "hmac-sha256",
  encoding: "base64",
  signed: ({ endpoint, url, body }) => [notificationUrl(endpoint.settings, url), body],
};

/** Square signs the URL as it was entered there, byte for byte, so a proxy's rewriting must not count. */
function notificationUrl(settings: AdapterSettings, url: string): string {
  const own = settings["notificationUrl"];
  return typeof own === "string" && own !== "" ? own : url;
}

/** `x-square-hmacsha256-signature`: HMAC-SHA256 in base64 over the notification URL, then the body. */
function notificationUrlProblems({ notificationUrl: url }: AdapterSettings) {
  if (url === undefined || (typeof url === "string" && isUrl(url))) return [];
  return [{ path: "notificationUrl", message: "must be the URL that is entered at Square" }];
}

export const square: Adapter = {
  name: "Square",
  signatureName: "the x-square-hmacsha256-signature header",
  toleranceSeconds: null,
  contentTypes: ["application/json"],
  readClaim: (incoming) => readMacHeader(incoming, SCHEME),
  keysOf: textKey,
  identify: ({ headers }, payload) => [
    {
      id: shortText(valueAt(payload, "event_id")),
      type: shortText(valueAt(payload, "type")),
      objectKey: shortText(valueAt(payload, "data", "id")),
      mode: modeOfWord(headers.get("square-environment")),
    },
  ],
  settingsFields: [
    {
      name: "notificationUrl",
      label: "Notification URL",
      help: "The URL exactly as it is entered at Square, because Square signs it. Default: the URL of this endpoint.",
      kind: "url",
      placeholder: "https://id.example.com/api/webhooks/square",
    },
    apiBaseUrl("https://connect.squareup.com"),
  ],
  settingsProblems: (settings) => [...apiBaseUrlProblems(settings), ...notificationUrlProblems(settings)],
  sign: ({ body, secret, url, settings }) => {
    const mac = macOf("hmac-sha256", secret, [notificationUrl(settings, url), body]).toString("base64");
    return { headers: { "content-type": "application/json", [SCHEME.header]: mac }, body };
  },
  facts: {
    ackTimeoutMs: 10_000,
    retries:
      "Square retries for up to 24 hours with increasing delays, and disables the subscription after 3 weeks without a 2xx.",
    givesUpAfterSeconds: 86_400,
    disablesAfterSeconds: 21 * 86_400,
    resendWindowDays: null,
    secretHelp: "Developer Console → your application → Webhooks → Subscriptions → your endpoint → Signature Key",
    docsUrl: "https://developer.squareup.com/docs/webhooks/step3validate",
    dedupe: "provider_id",
    reconcile: true,
    keepDays: 90,
  },
  samples: {
    "payment.updated": event("payment.updated", "payment", "payment_sample", {
      id: "payment_sample",
      status: "COMPLETED",
      amount_money: { amount: 1900, currency: "EUR" },
      order_id: "order_sample",
      version: 3,
    }),
    "refund.created": event("refund.created", "refund", "refund_sample", {
      id: "refund_sample",
      payment_id: "payment_sample",
      status: "PENDING",
      amount_money: { amount: 1900, currency: "EUR" },
    }),
  },
};

function event(type: string, kind: string, id: string, object: unknown) {
  const data = { type: kind, id, object: { [kind]: object } };
  return { merchant_id: "MERCHANTSAMPLE", type, event_id: "{id}", created_at: "2026-01-01T00:00:00Z", data };
}
