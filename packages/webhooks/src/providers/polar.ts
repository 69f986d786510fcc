import type { Adapter, Key } from "./adapter.ts";
import { apiBaseUrl, apiBaseUrlProblems, textProblems } from "./api-settings.ts";
import { standardKeys, standardScheme } from "./standard-webhooks.ts";

/** Polar uses its secrets as text or as base64 without saying which, so both are tried. */
function polarKeys(secret: string): readonly Key[] {
  if (secret.startsWith("whpk_")) return standardKeys(secret);
  return [{ algorithm: "hmac-sha256", bytes: Buffer.from(secret) }, ...standardKeys(secret)];
}

export const polar: Adapter = {
  ...standardScheme({
    name: "Polar",
    headerPrefixes: ["webhook"],
    keysOf: polarKeys,
    facts: {
      ackTimeoutMs: 10_000,
      retries:
        "Polar retries up to 10 times with increasing delays, and disables the endpoint after 10 failures in a row.",
      givesUpAfterSeconds: null,
      resendWindowDays: null,
      secretHelp: "Settings → Webhooks → the secret that you typed or generated",
      docsUrl: "https://polar.sh/docs/integrate/webhooks/endpoints",
      reconcile: true,
    },
    samples: {
      "order.paid": event("order.paid", {
        id: "0c0d6c4e-3a0f-4b59-8d40-5f4b4d1c9a01",
        status: "paid",
        total_amount: 1900,
        currency: "usd",
      }),
      "subscription.active": event("subscription.active", {
        id: "0c0d6c4e-3a0f-4b59-8d40-5f4b4d1c9a02",
        status: "active",
        current_period_end: "2030-01-01T00:00:00Z",
      }),
    },
  }),
  typedSecrets: true,
  settingsFields: [
    apiBaseUrl("https://api.polar.sh"),
    {
      name: "polarEndpointId",
      label: "Endpoint at Polar",
      help: "The id of this endpoint at Polar. With it, only its deliveries are searched for events that never came.",
      kind: "text",
      placeholder: "0c0d6c4e-3a0f-4b59-8d40-5f4b4d1c9a01",
    },
  ],
  settingsProblems: (settings) => [
    ...apiBaseUrlProblems(settings),
    ...textProblems(settings, "polarEndpointId", /^[0-9a-f-]{36}$/i, "must be the endpoint's id, a UUID"),
  ],
};

function event(type: string, data: unknown) {
  return { type, timestamp: "2026-01-01T00:00:00Z", data };
}
