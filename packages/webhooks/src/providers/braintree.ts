import { createHash } from "node:crypto";
import type { Parsed } from "../body.ts";
import { fromHex, shortText, valueAt } from "../encoding.ts";
import type { EndpointSettings } from "../endpoint.ts";
import type { Incoming } from "../incoming.ts";
import type { Adapter, Claim, Signature } from "./adapter.ts";
import { claimOf, MAX_SIGNATURE_HEADER_LENGTH, macOf } from "./signatures.ts";

/**
 * Both keys of the API, `<public key>:<private key>`, or with a bar as in the signature. The HMAC key is the SHA-1 of
 * the private one.
 */
function readKeys(secret: string): { publicKey: string; key: Uint8Array } | undefined {
  const [, publicKey, privateKey] = /^([A-Za-z0-9_-]{1,64})[:|]([!-~]{1,128})$/.exec(secret) ?? [];
  if (publicKey === undefined || privateKey === undefined) return undefined;
  return { publicKey, key: createHash("sha1").update(privateKey).digest() };
}

/** The notification in XML, as the form carries it. */
type Notification = {
  kind: string | null;
  timestamp: string | null;
  xml: string;
  bt_signature: string | null;
  bt_payload: string;
};

/** More than Braintree sends. */
const MAX_FIELDS = 20;

/** The two fields of the form. The payload is undefined unless it is base64, in lines or in one piece. */
function readForm(body: Uint8Array): { signature: string | null; payload: string | undefined } {
  const fields = Buffer.from(body).toString("latin1").split("&", MAX_FIELDS);
  const payload = fieldOf("bt_payload", fields) ?? "";
  return {
    signature: fieldOf("bt_signature", fields),
    payload: /^[A-Za-z0-9+/=\n]+$/.test(payload) ? payload : undefined,
  };
}

/** The first value of a field; null if there is none, or if it cannot be decoded. */
function fieldOf(name: string, fields: readonly string[]): string | null {
  const field = fields.find((one) => one.startsWith(`${name}=`));
  try {
    return field === undefined ? null : decodeURIComponent(field.slice(name.length + 1).replaceAll("+", " "));
  } catch {
    return null;
  }
}

/** Reads the notification in the form. Undefined if there is none. */
function parse(body: Uint8Array): Parsed | undefined {
  const { signature, payload } = readForm(body);
  const xml = payload === undefined ? "" : Buffer.from(payload, "base64").toString("utf8");
  if (payload === undefined || !xml.includes("<notification>")) return undefined;
  const head = xml.split("<subject>", 1)[0] ?? ""; // what follows is about the object
  const notification: Notification = {
    kind: /<kind>([a-z0-9_]{1,100})<\/kind>/.exec(head)?.[1] ?? null,
    timestamp: /<timestamp[^>]{0,50}>([^<]{1,50})<\/timestamp>/.exec(head)?.[1] ?? null,
    xml,
    bt_signature: signature,
    bt_payload: payload,
  };
  return { payload: notification };
}

/**
 * `bt_signature=<public key>|<hex>[&<public key>|<hex>]`: HMAC-SHA1 over `bt_payload`. Braintree signs with every key
 * of the account.
 */
function readClaim(incoming: Incoming): Claim {
  const { signature: header, payload: signed } = readForm(incoming.body);
  if (header === null || header === "" || signed === undefined) return { kind: "missing" };
  if (header.length > MAX_SIGNATURE_HEADER_LENGTH) return { kind: "malformed", problem: "it is longer than 8 KB" };

  const own = new Set(incoming.endpoint.secrets.map(({ value }) => readKeys(value.trim())?.publicKey));
  const signatures: (Signature & { isOwn: boolean })[] = [];
  const problems: string[] = [];
  for (const pair of header.split("&")) {
    const [, publicKey, hex = ""] = /^([^|]{1,64})\|(.*)$/.exec(pair) ?? [];
    const bytes = fromHex(hex);
    if (publicKey !== undefined && bytes?.length === 20)
      signatures.push({ algorithm: "hmac-sha1", bytes, isOwn: own.has(publicKey) });
    else problems.push("an entry is not <public key>|<40 lower-case hex digits>");
  }
  const ours = signatures.filter(({ isOwn }) => isOwn);
  return claimOf({
    signatures: ours.length > 0 ? ours : signatures,
    problems,
    unknownSchemes: [],
    signed: [signed],
    timestamp: null,
  });
}

/** As Braintree's library demands it. Such a text is also base64, as a payload is. */
const CHALLENGE = /^[a-f0-9]{20,32}$/;

/** Braintree checks a new URL with `?bt_challenge=<hex>`, and wants it signed like a payload. */
function answer(query: URLSearchParams, { secrets }: EndpointSettings): Response | undefined {
  const challenge = query.get("bt_challenge");
  if (challenge === null || !CHALLENGE.test(challenge)) return undefined;
  const [keys] = secrets.flatMap(({ value }) => readKeys(value.trim()) ?? []);
  if (!keys)
    return new Response("The keys of Braintree's API are not configured yet.", {
      status: 503,
      headers: { "retry-after": "60" },
    });
  return new Response(`${keys.publicKey}|${macOf("hmac-sha1", keys.key, [challenge]).toString("hex")}`, {
    headers: { "content-type": "text/plain; charset=utf-8", "cache-control": "no-store" },
  });
}

/** The fields `bt_signature` and `bt_payload` of a form. The payload is a notification in XML, encoded in base64. */
export const braintree: Adapter = {
  name: "Braintree",
  signatureName: "the form field bt_signature",
  toleranceSeconds: null,
  contentTypes: ["application/x-www-form-urlencoded"],
  readClaim,
  keysOf: (secret) => {
    const keys = readKeys(secret);
    return keys ? [{ algorithm: "hmac-sha1", bytes: keys.key }] : [];
  },
  identify: (_incoming, payload) => {
    const signed = valueAt(payload, "bt_payload");
    const identity = {
      id: null,
      type: shortText(valueAt(payload, "kind")),
      objectKey: objectKeyOf(valueAt(payload, "xml")),
    };
    // The signatures beside it change with the keys of the account, so they do not identify the event.
    return [typeof signed === "string" ? { ...identity, dedupeText: signed } : identity];
  },
  parse,
  handshake: { answer, canSign: (signed) => CHALLENGE.test(signed.join("")) },
  sign: ({ body, secret }) => {
    const keys = readKeys(secret);
    if (!keys) return { problem: "Braintree needs both keys of the API: <public key>:<private key>" };
    const known = valueAt(parse(body)?.payload, "bt_payload");
    const payload = typeof known === "string" ? known : `${Buffer.from(body).toString("base64")}\n`;
    const mac = macOf("hmac-sha1", keys.key, [payload]).toString("hex");
    const form = new URLSearchParams({ bt_signature: `${keys.publicKey}|${mac}`, bt_payload: payload });
    return { headers: { "content-type": "application/x-www-form-urlencoded" }, body: Buffer.from(form.toString()) };
  },
  facts: {
    ackTimeoutMs: 30_000,
    retries: "Braintree retries every hour for 24 hours, in the sandbox for 3 hours.",
    givesUpAfterSeconds: 86_400,
    resendWindowDays: null,
    secretHelp:
      "Settings → API → API Keys: the public and the private key, joined by a colon: <public key>:<private key>",
    docsUrl: "https://developer.paypal.com/braintree/docs/guides/webhooks/parse",
    dedupe: "body_hash",
    reconcile: false,
    keepDays: 90,
  },
  samples: {
    subscription_charged_successfully: notification(
      "subscription_charged_successfully",
      "<subscription><id>subscription_{id}</id><plan-id>pro</plan-id><status>Active</status></subscription>",
    ),
    transaction_settled: notification(
      "transaction_settled",
      "<transaction><id>transaction_{id}</id><status>settled</status><amount>19.00</amount></transaction>",
    ),
  },
};

/** The id of the object that the notification is about: the first one in its subject. */
function objectKeyOf(xml: unknown): string | null {
  const subject = typeof xml === "string" ? xml.slice(Math.max(0, xml.indexOf("<subject>"))) : "";
  return shortText(/<id>([^<]{1,100})<\/id>/.exec(subject)?.[1]);
}

function notification(kind: string, subject: string): string {
  const timestamp = '<timestamp type="datetime">2026-01-01T00:00:00Z</timestamp>';
  return `<notification>${timestamp}<kind>${kind}</kind><subject>${subject}</subject></notification>`;
}
