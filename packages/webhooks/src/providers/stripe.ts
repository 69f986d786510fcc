import { fromDigits, fromHex, propertyOf, shortText } from "../encoding.ts";
import { type Adapter, type Claim, claimOf, MAX_SIGNATURE_HEADER_LENGTH, type Signature } from "./adapter.ts";

const HEADER = "stripe-signature";

/** `Stripe-Signature: t=…,v1=…[,v1=…][,v0=…]`: HMAC-SHA256 over `t.body`, in hex. Only `v1` counts. */
function readClaim(headers: Headers): Claim {
  const header = headers.get(HEADER)?.trim();
  if (!header) return { kind: "missing" };
  if (header.length > MAX_SIGNATURE_HEADER_LENGTH) return { kind: "malformed", problem: "it is longer than 8 KB" };

  const times: string[] = [];
  const signatures: Signature[] = [];
  const problems: string[] = [];
  const unknownSchemes: string[] = [];
  for (const item of header.split(",")) {
    const [name = "", value = ""] = splitOnce(item.trim(), "=");
    if (name === "t") times.push(value);
    else if (name === "v1") {
      const bytes = fromHex(value);
      if (bytes?.length === 32) signatures.push({ algorithm: "hmac-sha256", bytes });
      else problems.push("a v1 signature is not 64 lower-case hex digits");
    } else if (/^v\d+[a-z]?$/.test(name)) unknownSchemes.push(name);
  }

  const [time] = times;
  const timestamp = time === undefined ? undefined : fromDigits(time);
  if (time === undefined || timestamp === undefined || times.length > 1) {
    return { kind: "malformed", problem: "it needs exactly one t= with a Unix time in digits" };
  }
  return claimOf({ signatures, problems, unknownSchemes, prefix: `${time}.`, timestamp });
}

function splitOnce(text: string, separator: string): [string, string] {
  const at = text.indexOf(separator);
  return at < 0 ? [text, ""] : [text.slice(0, at), text.slice(at + separator.length)];
}

export const stripe: Adapter = {
  name: "Stripe",
  signatureHeader: "Stripe-Signature",
  toleranceSeconds: 300,
  readClaim,
  // Unlike in Standard Webhooks, the whole `whsec_…` string is the key, not base64.
  keysOf: (secret) => [{ algorithm: "hmac-sha256", bytes: Buffer.from(secret) }],
  identify: (_headers, payload) => ({ id: shortText(propertyOf(payload, "id")), type: shortText(propertyOf(payload, "type")) }),
};
