import { isWithin, type JsonBounds, parseBounded, parseJson } from "../body.ts";
import { fromBase64, fromHex, shortText, valueAt } from "../encoding.ts";
import type { Incoming } from "../incoming.ts";
import { modeOfLive } from "../mode.ts";
import type {
  Adapter,
  AdapterFacts,
  Claim,
  EventIdentity,
  Key,
  MessageToSign,
  SignedMessage,
  SignedParts,
} from "./adapter.ts";
import { macOf } from "./signatures.ts";

/** More than Adyen sends in one request. Each item costs a verification. */
const MAX_ITEMS = 100;
/** Anybody can send a body, and the signatures are inside it. An item has about 100 members. */
const BOUNDS: JsonBounds = { depth: 32, values: 20_000 };
const parse = (body: Uint8Array) => parseBounded(body, BOUNDS);

/** What Adyen signs of an item, in this order. The rest of the item is not signed. */
const SIGNED_FIELDS = [
  ["pspReference"],
  ["originalReference"],
  ["merchantAccountCode"],
  ["merchantReference"],
  ["amount", "value"],
  ["amount", "currency"],
  ["eventCode"],
  ["success"],
] as const;

/** The items of a standard webhook; empty if the body is not one. */
function itemsOf(payload: unknown): unknown[] {
  const items = valueAt(payload, "notificationItems");
  return Array.isArray(items) ? items.map((item: unknown) => valueAt(item, "NotificationRequestItem")) : [];
}

/**
 * `notificationItems[].NotificationRequestItem.additionalData.hmacSignature`: HMAC-SHA256 in base64 over fields of the
 * item.
 */
function readClaim(incoming: Incoming): Claim {
  if (
    !Buffer.from(incoming.body.buffer, incoming.body.byteOffset, incoming.body.byteLength).includes('"hmacSignature"')
  ) {
    return { kind: "missing" }; // found in a hundredth of the time that parsing takes
  }
  const parsed = incoming.parsed();
  const items = itemsOf(parsed?.payload);
  if (items.length > MAX_ITEMS || (!parsed && !isWithin(incoming.body, BOUNDS))) {
    return { kind: "malformed", problem: `it has more than ${MAX_ITEMS} items, or more in them than Adyen sends` };
  }
  const parts: SignedParts[] = [];
  for (const item of items) {
    const value = valueAt(item, "additionalData", "hmacSignature");
    if (value === undefined || value === "") return { kind: "missing" };
    const bytes = typeof value === "string" ? fromBase64(value) : undefined;
    if (bytes?.length !== 32)
      return { kind: "malformed", problem: "an hmacSignature is not 32 bytes of padded base64" };
    const signed = signedText(item);
    if (signed === undefined)
      return { kind: "malformed", problem: "a signed field is neither text nor a whole number" };
    parts.push({ signatures: [{ algorithm: "hmac-sha256", bytes }], signed: [signed] });
  }
  const [first, ...rest] = parts;
  return first ? { kind: "signed", ...first, timestamp: null, rest } : { kind: "missing" };
}

/**
 * The signed text of an item: the fields, separated by colons, empty if they are missing. Undefined if one is not a
 * plain value.
 */
function signedText(item: unknown): string | undefined {
  const values = SIGNED_FIELDS.map((path) => {
    const value = valueAt(item, ...path) ?? "";
    return typeof value === "string" || typeof value === "boolean" || Number.isSafeInteger(value)
      ? String(value)
      : undefined;
  });
  return values.includes(undefined) ? undefined : values.join(":");
}

/** From signed fields alone. A changed `success` is another event. */
function identityOf(item: unknown): EventIdentity {
  const field = (name: string) => shortText(valueAt(item, name));
  const [reference, type, success] = [
    field("pspReference"),
    field("eventCode"),
    String(valueAt(item, "success") ?? ""),
  ];
  return {
    id: reference === null || type === null ? null : shortText(`${reference}:${type}:${success}`),
    type,
    objectKey: field("originalReference") ?? reference,
    payload: item,
  };
}

/** Hex digits in either case, as Adyen shows them in upper case. */
export function hexKey(secret: string): readonly Key[] {
  const bytes = fromHex(secret.toLowerCase());
  return bytes && bytes.length > 0 ? [{ algorithm: "hmac-sha256", bytes }] : [];
}

/** Puts the signature of each item into the body. */
function sign({ body, secret }: MessageToSign): SignedMessage {
  const [key] = hexKey(secret);
  if (!key) return { problem: "The secret is not an HMAC key in hex" };
  const payload = structuredClone(parseJson(body)?.payload);
  const items = itemsOf(payload);
  if (items.length === 0) return { problem: "The body has no notificationItems" };
  for (const item of items) {
    if (typeof item !== "object" || item === null) return { problem: "An item has no NotificationRequestItem" };
    const hmacSignature = macOf("hmac-sha256", key.bytes, [signedText(item) ?? ""]).toString("base64");
    Object.assign(item, { additionalData: { ...Object(valueAt(item, "additionalData")), hmacSignature } });
  }
  return { headers: { "content-type": "application/json" }, body: new TextEncoder().encode(JSON.stringify(payload)) };
}

export const ADYEN_FACTS: AdapterFacts = {
  ackTimeoutMs: 10_000,
  retries: "Adyen retries after 9, 18 and 27 seconds, then with increasing delays for up to 30 days.",
  givesUpAfterSeconds: 30 * 86_400,
  resendWindowDays: 30,
  secretHelp: "Customer Area → Developers → Webhooks → your webhook → HMAC key, in hex",
  docsUrl: "https://docs.adyen.com/development-resources/webhooks/",
  dedupe: "provider_id",
  reconcile: false,
  keepDays: 90,
};

/** Standard webhooks (payments). The signature is in the body, and a request can hold several events. */
export const adyen: Adapter = {
  name: "Adyen",
  signatureName: "additionalData.hmacSignature",
  toleranceSeconds: null,
  contentTypes: ["application/json"],
  readClaim,
  keysOf: hexKey,
  identify: (_incoming, payload) => {
    const mode = modeOfLive(valueAt(payload, "live"));
    const [first, ...rest] = itemsOf(payload)
      .slice(0, MAX_ITEMS)
      .map((item) => ({ ...identityOf(item), mode }));
    return [first ?? { id: null, type: null, objectKey: null }, ...rest];
  },
  parse,
  answers: { accepted: "[accepted]" },
  sign,
  facts: ADYEN_FACTS,
  samples: { AUTHORISATION: batch("AUTHORISATION", "{id}"), CAPTURE: batch("CAPTURE", "{id}", "8835511210681324") },
};

function batch(eventCode: string, pspReference: string, originalReference?: string) {
  const NotificationRequestItem = {
    eventCode,
    success: "true",
    eventDate: "2026-01-01T00:00:00+01:00",
    pspReference,
    ...(originalReference !== undefined && { originalReference }),
    merchantAccountCode: "ExampleMerchant",
    merchantReference: "order-1001",
    amount: { value: 1900, currency: "EUR" },
    paymentMethod: "visa",
  };
  return { live: "false", notificationItems: [{ NotificationRequestItem }] };
}
