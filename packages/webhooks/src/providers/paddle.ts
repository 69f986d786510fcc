import { shortText, valueAt } from "../encoding.ts";
import type { Adapter } from "./adapter.ts";
import { apiBaseUrl, apiBaseUrlProblems, textProblems } from "./api-settings.ts";
import { textKey } from "./signatures.ts";
import { readTimedHeader, signTimedHeader, type TimedHeader } from "./timed-header.ts";

/** `Paddle-Signature: ts=…;h1=…[;h1=…]` over `ts:body`. Paddle reserves several `h1` for the rotation of a secret. */
const SCHEME: TimedHeader = {
  header: "paddle-signature",
  separator: ";",
  time: "ts",
  scheme: "h1",
  otherSchemes: /^h\d+$/,
  joint: ":",
  unit: "s",
};

/** Paddle Billing. */
export const paddle: Adapter = {
  name: "Paddle",
  signatureName: "the Paddle-Signature header",
  // Paddle's library allows 5 seconds, which a clock that is slightly off or a queue in between exceeds.
  toleranceSeconds: 300,
  contentTypes: ["application/json"],
  readClaim: (incoming) => readTimedHeader(incoming, SCHEME),
  keysOf: textKey,
  identify: (_incoming, payload) => [
    {
      // Not notification_id, which changes when Paddle replays an event.
      id: shortText(valueAt(payload, "event_id")),
      type: shortText(valueAt(payload, "event_type")),
      objectKey: shortText(valueAt(payload, "data", "id")),
    },
  ],
  settingsFields: [
    apiBaseUrl("https://api.paddle.com"),
    {
      name: "notificationSettingId",
      label: "Notification destination",
      help: "The id of this endpoint's destination at Paddle. With it, only that destination is searched for events that never came.",
      kind: "text",
      placeholder: "ntfset_01…",
    },
  ],
  settingsProblems: (settings) => [
    ...apiBaseUrlProblems(settings),
    ...textProblems(
      settings,
      "notificationSettingId",
      /^ntfset_\w{1,50}$/,
      "must be the destination's id, which begins with ntfset_",
    ),
  ],
  sign: (message) => signTimedHeader(message, SCHEME),
  facts: {
    ackTimeoutMs: 5000,
    retries:
      "Paddle retries up to 60 times within 3 days, 20 of them in the first hour; in the sandbox, 3 times within 15 minutes.",
    givesUpAfterSeconds: 3 * 86_400,
    resendWindowDays: 90,
    secretHelp: "Developer tools → Notifications → your destination → Secret key, pdl_ntfset_…",
    docsUrl: "https://developer.paddle.com/webhooks/overview",
    dedupe: "provider_id",
    reconcile: true,
    keepDays: 100,
  },
  samples: {
    "transaction.completed": event("transaction.completed", {
      id: "txn_sample",
      status: "completed",
      customer_id: "ctm_sample",
      subscription_id: "sub_sample",
      currency_code: "EUR",
      details: { totals: { total: "1900", currency_code: "EUR" } },
    }),
    "subscription.updated": event("subscription.updated", {
      id: "sub_sample",
      status: "active",
      customer_id: "ctm_sample",
      next_billed_at: "2030-01-01T00:00:00Z",
      items: [{ status: "active", quantity: 1, price: { id: "pri_sample" } }],
    }),
  },
};

function event(type: string, data: unknown) {
  return {
    event_id: "{id}",
    event_type: type,
    occurred_at: "2026-01-01T00:00:00Z",
    notification_id: "ntf_sample",
    data,
  };
}
