import { fromBase64, fromDigits, shortText, valueAt } from "../encoding.ts";
import type { Incoming } from "../incoming.ts";
import type { Adapter, AdapterFacts, Algorithm, Claim, Key, Signature } from "./adapter.ts";
import { claimOf, MAX_SIGNATURE_HEADER_LENGTH, macOf } from "./signatures.ts";

const SCHEMES = new Map<string, { algorithm: Algorithm; length: number }>([
  ["v1", { algorithm: "hmac-sha256", length: 32 }],
  ["v1a", { algorithm: "ed25519", length: 64 }],
]);

/** `<prefix>-signature: v1,<base64> [v1a,<base64> …]` over `id.timestamp.body`. Standard Webhooks 1.0. */
function readClaim({ headers, body }: Pick<Incoming, "headers" | "body">, headerPrefix: string): Claim {
  const header = headers.get(`${headerPrefix}-signature`)?.trim();
  if (!header) return { kind: "missing" };
  if (header.length > MAX_SIGNATURE_HEADER_LENGTH) return { kind: "malformed", problem: "it is longer than 8 KB" };

  const id = headers.get(`${headerPrefix}-id`) ?? "";
  // With a dot in the id, one signature would cover two splits into id and timestamp.
  if (!/^[!-~]{1,255}$/.test(id) || id.includes(".")) {
    return { kind: "malformed", problem: `${headerPrefix}-id is missing or not an id` };
  }
  const time = headers.get(`${headerPrefix}-timestamp`) ?? "";
  const timestamp = fromDigits(time);
  if (timestamp === undefined)
    return { kind: "malformed", problem: `${headerPrefix}-timestamp is missing or not a Unix time in digits` };

  return claimOf({ ...readSignatures(header), signed: [`${id}.${time}.`, body], timestamp });
}

function readSignatures(header: string) {
  const signatures: Signature[] = [];
  const problems: string[] = [];
  const unknownSchemes: string[] = [];
  for (const item of header.split(/ +/)) {
    const comma = item.indexOf(",");
    if (comma < 1) {
      problems.push("an entry is not <scheme>,<signature>");
      continue;
    }
    const name = item.slice(0, comma);
    const scheme = SCHEMES.get(name);
    if (!scheme) {
      unknownSchemes.push(name.slice(0, 32));
      continue;
    }
    const bytes = fromBase64(item.slice(comma + 1));
    if (bytes?.length === scheme.length) signatures.push({ algorithm: scheme.algorithm, bytes });
    else problems.push(`a ${name} signature is not ${scheme.length} bytes of padded base64`);
  }
  return { signatures, problems, unknownSchemes };
}

/**
 * `whsec_` and base64 is an HMAC key, `whpk_` and base64 an ed25519 public key. A public key is never used as an HMAC
 * key. Some senders write the scheme in front, as in `v1,whsec_…`, or leave the padding out.
 */
export function standardKeys(text: string): readonly Key[] {
  const secret = text.replace(/^v1,(?=whsec_)|^v1a,(?=whpk_)/, "");
  if (secret.startsWith("whpk_")) {
    const bytes = fromBase64(padded(secret.slice("whpk_".length)));
    return bytes?.length === 32 ? [{ algorithm: "ed25519", bytes }] : [];
  }
  const bytes = fromBase64(secret.startsWith("whsec_") ? padded(secret.slice("whsec_".length)) : secret);
  return bytes && bytes.length > 0 ? [{ algorithm: "hmac-sha256", bytes }] : [];
}

const padded = (base64: string) => base64.padEnd(Math.ceil(base64.length / 4) * 4, "=");

type StandardSender = Pick<Adapter, "name" | "samples"> & {
  /** The possible prefixes of its three headers. The first one with a signature counts, for id and timestamp too. */
  headerPrefixes: readonly [string, ...string[]];
  facts: Omit<AdapterFacts, "dedupe" | "keepDays">;
  keysOf?: (secret: string) => readonly Key[];
};

/** Makes an adapter for a sender of Standard Webhooks. */
export function standardScheme({
  name,
  headerPrefixes,
  facts,
  samples,
  keysOf = standardKeys,
}: StandardSender): Adapter {
  const [first] = headerPrefixes;
  const prefixOf = (headers: Headers) => headerPrefixes.find((prefix) => headers.has(`${prefix}-signature`)) ?? first;
  return {
    name,
    signatureName: `the ${first}-signature header`,
    toleranceSeconds: 300,
    contentTypes: ["application/json"],
    readClaim: (incoming) => readClaim(incoming, prefixOf(incoming.headers)),
    keysOf,
    // The id is signed and stays the same for every retry, so it identifies repeats.
    identify: ({ headers }, payload) => [
      {
        id: shortText(headers.get(`${prefixOf(headers)}-id`)),
        type: shortText(valueAt(payload, "type")),
        objectKey: shortText(valueAt(payload, "data", "id")),
      },
    ],
    sign: ({ body, secret, id, timestamp }) => {
      const key = keysOf(secret).find(({ algorithm }) => algorithm === "hmac-sha256");
      if (!key) return { problem: "A public key cannot sign. Use a shared secret, whsec_…" };
      const mac = macOf("hmac-sha256", key.bytes, [`${id}.${timestamp}.`, body]).toString("base64");
      const headers = {
        [`${first}-id`]: id,
        [`${first}-timestamp`]: String(timestamp),
        [`${first}-signature`]: `v1,${mac}`,
      };
      return { headers: { "content-type": "application/json", ...headers }, body };
    },
    facts: { ...facts, dedupe: "provider_id", keepDays: 90 },
    samples,
  };
}

export const standardWebhooks = standardScheme({
  name: "Standard Webhooks",
  headerPrefixes: ["webhook"],
  facts: {
    ackTimeoutMs: 15_000,
    retries: "The sender decides. The specification suggests 10 attempts within about 3 days.",
    givesUpAfterSeconds: 75 * 3600,
    resendWindowDays: null,
    secretHelp: "The sender's webhook settings: whsec_… (shared secret) or whpk_… (Ed25519 public key)",
    docsUrl: "https://www.standardwebhooks.com",
    reconcile: false,
  },
  samples: {
    "user.created": {
      type: "user.created",
      timestamp: "2026-01-01T00:00:00Z",
      data: { id: "usr_sample", email: "ada@example.com" },
    },
    "invoice.paid": {
      type: "invoice.paid",
      timestamp: "2026-01-01T00:00:00Z",
      data: { id: "inv_sample", amount: 1900, currency: "EUR" },
    },
  },
});
