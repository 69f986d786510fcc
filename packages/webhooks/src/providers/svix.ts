import { standardScheme } from "./standard-webhooks.ts";

/** When Svix sends again, for the services that send through it too. */
export const SVIX_DELIVERY = {
  ackTimeoutMs: 15_000,
  retries: "Svix tries 8 times within about 28 hours, and disables an endpoint that fails for 5 days.",
  givesUpAfterSeconds: 100_505, // 5 s, 5 min, 30 min, 2 h, 5 h, 10 h and 10 h
  disablesAfterSeconds: 5 * 86_400,
  resendWindowDays: null,
  reconcile: false,
};

/** Svix and services that send through it. Newer senders use the header names of Standard Webhooks. */
export const svix = standardScheme({
  name: "Svix",
  headerPrefixes: ["svix", "webhook"],
  facts: {
    ...SVIX_DELIVERY,
    secretHelp: "The endpoint's page in the webhook portal → Signing Secret, whsec_…",
    docsUrl: "https://docs.svix.com/receiving/introduction",
  },
  samples: {
    "invoice.paid": {
      type: "invoice.paid",
      timestamp: "2026-01-01T00:00:00Z",
      data: { id: "inv_sample", amount: 1900 },
    },
    "user.created": {
      type: "user.created",
      timestamp: "2026-01-01T00:00:00Z",
      data: { id: "usr_sample", email: "ada@example.com" },
    },
  },
});
