import { fromBase64, fromDigits, propertyOf, shortText } from "../encoding.ts";
import { type Adapter, type Algorithm, type Claim, claimOf, type Key, MAX_SIGNATURE_HEADER_LENGTH, type Signature } from "./adapter.ts";

const SCHEMES = new Map<string, { algorithm: Algorithm; length: number }>([
  ["v1", { algorithm: "hmac-sha256", length: 32 }],
  ["v1a", { algorithm: "ed25519", length: 64 }],
]);

/** `<prefix>-signature: v1,<base64> [v1a,<base64> …]` over `id.timestamp.body`. Standard Webhooks 1.0. */
function readClaim(headers: Headers, headerPrefix: string): Claim {
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
  if (timestamp === undefined) return { kind: "malformed", problem: `${headerPrefix}-timestamp is missing or not a Unix time in digits` };

  return claimOf({ ...readSignatures(header), prefix: `${id}.${time}.`, timestamp });
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

/** `whsec_` and base64 is an HMAC key, `whpk_` and base64 an ed25519 public key. A public key is never used as an HMAC key. */
export function standardKeys(secret: string): readonly Key[] {
  if (secret.startsWith("whpk_")) {
    const bytes = fromBase64(secret.slice("whpk_".length));
    return bytes?.length === 32 ? [{ algorithm: "ed25519", bytes }] : [];
  }
  const bytes = fromBase64(secret.startsWith("whsec_") ? secret.slice("whsec_".length) : secret);
  return bytes && bytes.length > 0 ? [{ algorithm: "hmac-sha256", bytes }] : [];
}

/**
 * Makes an adapter for a sender of Standard Webhooks. `headerPrefixes` are the possible prefixes of its three headers; the first one
 * with a signature counts, for id and timestamp too.
 */
export function standardScheme(name: string, headerPrefixes: readonly [string, ...string[]], keysOf = standardKeys): Adapter {
  const prefixOf = (headers: Headers) => headerPrefixes.find((prefix) => headers.has(`${prefix}-signature`)) ?? headerPrefixes[0];
  return {
    name,
    signatureHeader: `${headerPrefixes[0]}-signature`,
    toleranceSeconds: 300,
    readClaim: (headers) => readClaim(headers, prefixOf(headers)),
    keysOf,
    // The id is signed and stays the same for every retry, so it identifies repeats.
    identify: (headers, payload) => ({
      id: shortText(headers.get(`${prefixOf(headers)}-id`)),
      type: shortText(propertyOf(payload, "type")),
    }),
  };
}

export const standardWebhooks = standardScheme("Standard Webhooks", ["webhook"]);
