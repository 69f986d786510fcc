import { shortText, valueAt } from "../encoding.ts";
import type { Adapter } from "./adapter.ts";
import { textKey } from "./signatures.ts";
import { readTimedHeader, signTimedHeader, type TimedHeader } from "./timed-header.ts";

/** `WorkOS-Signature: t=…, v1=…` over `t.body`. Unlike others, `t` is in milliseconds. */
const SCHEME: TimedHeader = {
  header: "workos-signature",
  separator: ",",
  time: "t",
  scheme: "v1",
  otherSchemes: /^v\d+[a-z]?$/,
  joint: ".",
  unit: "ms",
};

export const workos: Adapter = {
  name: "WorkOS",
  signatureName: "the WorkOS-Signature header",
  toleranceSeconds: 180,
  contentTypes: ["application/json"],
  readClaim: (incoming) => readTimedHeader(incoming, SCHEME),
  keysOf: textKey,
  identify: (_incoming, payload) => [
    {
      id: shortText(valueAt(payload, "id")),
      type: shortText(valueAt(payload, "event")),
      objectKey: shortText(valueAt(payload, "data", "id")),
    },
  ],
  sign: (message) => signTimedHeader(message, SCHEME),
  facts: {
    ackTimeoutMs: null,
    retries: "WorkOS retries up to 12 times within 3 days in production, and for some minutes elsewhere.",
    givesUpAfterSeconds: 3 * 86_400,
    resendWindowDays: null,
    secretHelp: "Dashboard → Developer → Webhooks → your endpoint → Signing secret",
    docsUrl: "https://workos.com/docs/events/data-syncing/webhooks",
    dedupe: "provider_id",
    reconcile: false,
    keepDays: 90,
  },
  samples: {
    "dsync.user.created": event("dsync.user.created", {
      id: "directory_user_sample",
      object: "directory_user",
      directory_id: "directory_sample",
      organization_id: "org_sample",
      email: "ada@example.com",
      first_name: "Ada",
      last_name: "Lovelace",
      state: "active",
    }),
    "user.created": event("user.created", {
      id: "user_sample",
      object: "user",
      email: "ada@example.com",
      email_verified: true,
      first_name: "Ada",
      last_name: "Lovelace",
    }),
  },
};

function event(name: string, data: unknown) {
  return { id: "{id}", event: name, data, created_at: "2026-01-01T00:00:00.000Z" };
}
