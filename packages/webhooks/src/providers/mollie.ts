import { type Parsed, parseJson } from "../body.ts";
import { shortText, valueAt } from "../encoding.ts";
import type { AdapterSettings } from "../endpoint.ts";
import type { Incoming } from "../incoming.ts";
import { modeOfWord } from "../mode.ts";
import type { Adapter, Claim, EventIdentity, FetchDeps } from "./adapter.ts";
import { type MacHeader, macOf, readMacHeader, textKey } from "./signatures.ts";

const SCHEME: MacHeader = {
  header: "x-mollie-signature",
  algorithm: "hmac-sha256",
  encoding: "hex",
  prefix: "sha256=",
  repeats: true, // for 24 hours after a secret is replaced
};

/** The objects of classic webhooks, by the prefix of their id. */
const CLASSIC_PATHS = new Map([
  ["tr", "payments"],
  ["ord", "orders"],
  ["pl", "payment-links"],
]);

const isClassic = (settings: AdapterSettings) => settings["fetchBack"] === true;

/** The path in Mollie's API and the kind of object. Undefined unless the id is one of a classic webhook. */
function classicObject(id: unknown): { path: string; kind: string } | undefined {
  const [, prefix = ""] = typeof id === "string" ? (/^([a-z]{2,3})_[A-Za-z0-9]{1,64}$/.exec(id) ?? []) : [];
  const collection = CLASSIC_PATHS.get(prefix);
  return collection === undefined ? undefined : { path: `${collection}/${id}`, kind: collection.slice(0, -1) };
}

/**
 * Next-gen webhooks are signed. Classic ones only name an object, so they count only where an admin has switched them
 * on.
 */
function readClaim(incoming: Incoming): Claim {
  const claim = readMacHeader(incoming, SCHEME);
  if (claim.kind !== "missing" || !isClassic(incoming.endpoint.settings)) return claim;
  const id = classicId(incoming.body);
  if (id === null) return claim;
  if (!classicObject(id))
    return { kind: "malformed", problem: "the id in the body is not one of a payment, an order or a payment link" };
  return { kind: "fetch_back" };
}

/** The id in the form `id=tr_…` of a classic webhook; null if the body is not one. */
function classicId(body: Uint8Array): string | null {
  return body.length > 256 ? null : new URLSearchParams(Buffer.from(body).toString("latin1")).get("id");
}

/** A JSON event, or the form of a classic webhook. */
function parse(body: Uint8Array): Parsed | undefined {
  const id = classicId(body);
  return parseJson(body) ?? (id === null ? undefined : { payload: { id } });
}

/** Only a classic webhook is a form. */
function contentTypesOf({ headers, endpoint }: Incoming): readonly string[] {
  return isClassic(endpoint.settings) && !headers.has(SCHEME.header)
    ? ["application/x-www-form-urlencoded"]
    : mollie.contentTypes;
}

/** The amounts change while the status stays the same, such as by a refund, and each change is an event. */
const CHANGING = ["status", "amountRefunded", "amountRemaining", "amountCaptured", "amountChargedBack", "paidAt"];

async function fetchBack(
  _incoming: Incoming,
  payload: unknown,
  apiKey: string,
  deps: FetchDeps,
): Promise<readonly EventIdentity[]> {
  const id = valueAt(payload, "id");
  const named = classicObject(id);
  if (!named) return [];
  const object = await deps.fetchBack(`https://api.mollie.com/v2/${named.path}`, apiKey);
  if (valueAt(object, "id") !== id) return [];
  const status = shortText(valueAt(object, "status"));
  const state = JSON.stringify(CHANGING.map((name) => valueAt(object, name) ?? null));
  const type = status === null ? named.kind : `${named.kind}.${status}`;
  return [
    {
      id: shortText(id),
      type,
      objectKey: shortText(id),
      dedupeText: `${id} ${state}`,
      mode: modeOfWord(valueAt(object, "mode")),
    },
  ];
}

/** `X-Mollie-Signature: sha256=<hex>`: HMAC-SHA256 over the body. Classic webhooks have no signature. */
export const mollie: Adapter = {
  name: "Mollie",
  signatureName: "the X-Mollie-Signature header",
  toleranceSeconds: null,
  contentTypes: ["application/json"],
  contentTypesOf,
  readClaim,
  keysOf: textKey,
  fetchBack,
  identify: (_incoming, payload) => {
    const id = shortText(valueAt(payload, "id"));
    return [
      {
        id,
        type: shortText(valueAt(payload, "type")),
        objectKey: shortText(valueAt(payload, "entityId")) ?? id,
        mode: modeOfWord(valueAt(payload, "_embedded", "entity", "mode")),
      },
    ];
  },
  parse,
  settingsFields: [
    {
      name: "fetchBack",
      label: "Accept classic webhooks",
      help: "Classic webhooks are not signed. Each one is confirmed by fetching its object from Mollie with the endpoint's API key.",
      kind: "switch",
    },
  ],
  settingsProblems: ({ fetchBack: on }) =>
    on === undefined || typeof on === "boolean" ? [] : [{ path: "fetchBack", message: "must be true or false" }],
  sign: ({ body, secret, settings }) => {
    if (isClassic(settings) && parseJson(body) === undefined) {
      return { headers: { "content-type": "application/x-www-form-urlencoded" }, body };
    }
    const mac = macOf("hmac-sha256", secret, [body]).toString("hex");
    return { headers: { "content-type": "application/json", [SCHEME.header]: `sha256=${mac}` }, body };
  },
  facts: {
    ackTimeoutMs: 15_000,
    retries: "Mollie retries with increasing delays.",
    givesUpAfterSeconds: null,
    resendWindowDays: null,
    secretHelp:
      "Developers → Webhooks → your webhook → Signing secret. For classic webhooks, the API key: live_… or test_…",
    docsUrl: "https://docs.mollie.com/reference/webhooks-new",
    dedupe: "provider_id",
    reconcile: false,
    keepDays: 90,
  },
  samples: {
    "payment-link.paid": event("payment-link.paid", "pl_sample", {
      resource: "payment-link",
      description: "Order 1042",
      amount: { currency: "EUR", value: "19.00" },
      paidAt: "2026-01-01T00:00:00+00:00",
    }),
    "payment.paid": event("payment.paid", "tr_sample", {
      resource: "payment",
      description: "Order 1042",
      amount: { currency: "EUR", value: "19.00" },
      status: "paid",
    }),
  },
};

function event(type: string, entityId: string, entity: Record<string, unknown>) {
  const _embedded = { entity: { id: entityId, ...entity } };
  return { resource: "event", id: "{id}", type, entityId, createdAt: "2026-01-01T00:00:00.0Z", _embedded };
}
