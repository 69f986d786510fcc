import { isUrl } from "@gatehouse/runtime";
import { findSigningKey } from "../certificates/signing-key.ts";
import { crc32 } from "../crc32.ts";
import { fromBase64, shortText, valueAt } from "../encoding.ts";
import type { Incoming } from "../incoming.ts";
import { modeOfUrl } from "../mode.ts";
import type { Adapter, Claim, FetchDeps, Key, SignedClaim } from "./adapter.ts";
import { apiBaseUrl, apiBaseUrlProblems } from "./api-settings.ts";
import { MAX_SIGNATURE_HEADER_LENGTH } from "./signatures.ts";

/** The names that PayPal's signing certificates are issued to: live and sandbox. */
const CERTIFICATE_NAMES = ["messageverificationcerts.paypal.com", "messageverificationcerts.sandbox.paypal.com"];
const DOMAIN = "paypal.com";
const ALGORITHM = "SHA256withRSA";

const headerOf = ({ headers }: Incoming, name: string) => headers.get(`paypal-${name}`)?.trim() ?? "";

function readClaim(incoming: Incoming): Claim {
  const signature = headerOf(incoming, "transmission-sig");
  if (signature === "") return { kind: "missing" };
  if (signature.length > MAX_SIGNATURE_HEADER_LENGTH) return { kind: "malformed", problem: "it is longer than 8 KB" };
  const algorithm = headerOf(incoming, "auth-algo");
  if (algorithm !== ALGORITHM)
    return { kind: "scheme_unknown", schemes: [algorithm.slice(0, 32) || "no PAYPAL-AUTH-ALGO header"] };

  const bytes = fromBase64(signature);
  if (!bytes || bytes.length < 256 || bytes.length > 512)
    return { kind: "malformed", problem: "it is not an RSA signature in padded base64" };
  const id = headerOf(incoming, "transmission-id");
  // With a bar in the id, one signature would cover two splits into id and time.
  if (!/^[\w-]{1,64}$/.test(id))
    return { kind: "malformed", problem: "PAYPAL-TRANSMISSION-ID is missing or not an id" };
  const timestamp = readTime(headerOf(incoming, "transmission-time"));
  if (timestamp === undefined)
    return { kind: "malformed", problem: "PAYPAL-TRANSMISSION-TIME is missing or not a time in UTC" };
  if (!isPayPalUrl(headerOf(incoming, "cert-url")))
    return { kind: "malformed", problem: "PAYPAL-CERT-URL is not an https URL of PayPal" };
  return {
    kind: "signed",
    signatures: [{ algorithm: "rsa-sha256", bytes }],
    signed: signedAround(incoming),
    timestamp,
  };
}

/** RFC 3339 in UTC, to Unix seconds. */
function readTime(text: string): number | undefined {
  const milliseconds = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,9})?Z$/.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(milliseconds) ? undefined : Math.floor(milliseconds / 1000);
}

/** The certificate must come from PayPal, or any certificate would do. */
function isPayPalUrl(text: string): boolean {
  if (text.length > 500 || !isUrl(text)) return false;
  const { protocol, hostname, port, username, password } = new URL(text);
  return (
    protocol === "https:" &&
    /^([a-z0-9-]+\.)+paypal\.com$/.test(hostname) &&
    port === "" &&
    username === "" &&
    password === ""
  );
}

/** The signed text without the webhook id, which belongs between the two parts. */
function signedAround(incoming: Incoming): readonly [string, string] {
  return [
    `${headerOf(incoming, "transmission-id")}|${headerOf(incoming, "transmission-time")}|`,
    `|${crc32(incoming.body)}`,
  ];
}

async function fetchKeys(
  { signed: [before = "", after = ""] }: SignedClaim,
  incoming: Incoming,
  webhookId: string,
  deps: FetchDeps,
) {
  const bytes = await findSigningKey(headerOf(incoming, "cert-url"), CERTIFICATE_NAMES, deps);
  if (bytes === undefined) return [];
  const key: Key = { algorithm: "rsa-sha256", bytes, signed: [before, webhookId, after] };
  return [key];
}

/**
 * `PAYPAL-TRANSMISSION-SIG`: RSA with SHA-256 over `id|time|webhook id|crc32(body)`, by the certificate at
 * `PAYPAL-CERT-URL`.
 */
export const paypal: Adapter = {
  name: "PayPal",
  signatureName: "the PAYPAL-TRANSMISSION-SIG header",
  // PayPal states none, and a retry can come 3 days later. Longer than any of them, shorter than event ids are kept.
  toleranceSeconds: 30 * 86_400,
  contentTypes: ["application/json"],
  readClaim,
  // The configured id is signed, not a key; `fetchKeys` has the key.
  keysOf: (webhookId) =>
    /^\w{1,50}$/.test(webhookId) ? [{ algorithm: "rsa-sha256", bytes: Buffer.from(webhookId) }] : [],
  fetchKeys,
  testSecrets: ["WEBHOOK_ID"], // the simulator's
  identify: (incoming, payload) => [
    {
      id: shortText(valueAt(payload, "id")),
      type: shortText(valueAt(payload, "event_type")),
      objectKey: shortText(valueAt(payload, "resource", "id")),
      // The links are signed with the body. Events that were fetched have no headers.
      mode:
        modeOfUrl(valueAt(payload, "links", "0", "href"), DOMAIN) ?? modeOfUrl(headerOf(incoming, "cert-url"), DOMAIN),
    },
  ],
  settingsFields: [apiBaseUrl("https://api-m.paypal.com")],
  settingsProblems: apiBaseUrlProblems,
  sign: () => ({
    problem: "Only PayPal can sign: its key is private. Use the webhooks simulator in PayPal's dashboard.",
  }),
  facts: {
    ackTimeoutMs: null,
    retries: "PayPal retries up to 25 times within 3 days.",
    givesUpAfterSeconds: 3 * 86_400,
    resendWindowDays: null,
    secretHelp: "Apps & Credentials → your app → Webhooks → Webhook ID. For the simulator: WEBHOOK_ID",
    docsUrl: "https://developer.paypal.com/api/rest/webhooks/rest/",
    dedupe: "provider_id",
    reconcile: true,
    keepDays: 90,
  },
  samples: {
    "PAYMENT.CAPTURE.COMPLETED": event("PAYMENT.CAPTURE.COMPLETED", "capture", {
      id: "3C679366HH908993F",
      status: "COMPLETED",
      amount: { currency_code: "EUR", value: "19.00" },
      final_capture: true,
      custom_id: "1042",
    }),
    "BILLING.SUBSCRIPTION.ACTIVATED": event("BILLING.SUBSCRIPTION.ACTIVATED", "subscription", {
      id: "I-SAMPLE",
      status: "ACTIVE",
      plan_id: "P-SAMPLE",
      subscriber: { email_address: "ada@example.com" },
    }),
  },
};

function event(event_type: string, resource_type: string, resource: unknown) {
  return {
    id: "{id}",
    event_version: "1.0",
    create_time: "2026-01-01T00:00:00.000Z",
    resource_type,
    event_type,
    resource,
  };
}
