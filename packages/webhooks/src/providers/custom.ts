import { fromBase64, fromHex, idText, shortText, valueAt } from "../encoding.ts";
import type { AdapterSettings } from "../endpoint.ts";
import type { Incoming } from "../incoming.ts";
import type { Adapter, Claim, Key, MessageToSign, Signature, SignedMessage, SignedPart } from "./adapter.ts";
import { CUSTOM_FIELDS } from "./custom-fields.ts";
import { type CustomScheme, customSchemeOf, customSchemeProblems } from "./custom-scheme.ts";
import { claimOf, decodeMac, MAC_BYTES, MAX_SIGNATURE_HEADER_LENGTH, macOf } from "./signatures.ts";

/** What replaces the placeholders of the template. */
type Values = { id: string; timestamp: string; body: Uint8Array; url: string };

function readClaim({ headers, body, url, endpoint }: Incoming): Claim {
  const scheme = customSchemeOf(endpoint.settings);
  const header = scheme && headers.get(scheme.header)?.trim();
  if (!scheme || !header) return { kind: "missing" };
  if (header.length > MAX_SIGNATURE_HEADER_LENGTH) return { kind: "malformed", problem: "it is longer than 8 KB" };

  const id = scheme.idHeader === null ? "" : (headers.get(scheme.idHeader) ?? "");
  if (uses(scheme, "id") && !isPlainId(id, scheme))
    return { kind: "malformed", problem: `${scheme.idHeader} is missing or not an id` };
  const { times, ...found } = readEntries(header, scheme);
  const timestamp = scheme.timestampHeader === null ? (times[0] ?? "") : (headers.get(scheme.timestampHeader) ?? "");
  const at = timestampOf(timestamp, scheme);
  if (uses(scheme, "timestamp") && (at === null || times.length > 1)) {
    const unit = scheme.timestampUnit === "ms" ? "13 digits of Unix milliseconds" : "10 digits of Unix seconds";
    return { kind: "malformed", problem: `the timestamp is missing or not ${unit}` };
  }
  return claimOf({ ...found, signed: fill(scheme, { id, timestamp, body, url }), timestamp: at });
}

/** The signatures in the header, and the timestamps if they are entries of it too. */
function readEntries(header: string, { algorithm, encoding, prefix, separator, timestampPrefix }: CustomScheme) {
  const length = algorithm === "ed25519" ? 64 : MAC_BYTES[algorithm];
  const signatures: Signature[] = [];
  const problems: string[] = [];
  const times: string[] = [];
  for (const entry of separator === null ? [header] : header.split(separator)) {
    const value = entry.trim();
    if (timestampPrefix !== null && value.startsWith(timestampPrefix)) {
      times.push(value.slice(timestampPrefix.length));
      continue;
    }
    const bytes = value.startsWith(prefix) ? decodeMac(value.slice(prefix.length), encoding) : undefined;
    if (bytes?.length === length) signatures.push({ algorithm, bytes });
    else problems.push(`it is not ${prefix === "" ? "" : `${prefix} and `}${length} bytes in ${encoding}`);
  }
  return { signatures, problems, unknownSchemes: [], times };
}

const uses = ({ template }: CustomScheme, name: string) =>
  template.some((part) => "placeholder" in part && part.placeholder === name);

/**
 * A fixed number of digits, so that no digit can move between the timestamp and what is next to it in the signed text.
 */
function timestampOf(text: string, { timestampUnit }: CustomScheme): number | null {
  if (timestampUnit === "ms") return /^\d{13}$/.test(text) ? Math.floor(Number(text) / 1000) : null;
  return /^\d{10}$/.test(text) ? Number(text) : null;
}

/** An id must not contain the text around it in the template: one signature would cover two messages. */
function isPlainId(id: string, { template }: CustomScheme): boolean {
  const at = template.findIndex((part) => "placeholder" in part && part.placeholder === "id");
  const around = [template[at - 1], template[at + 1]].flatMap((part) => (part && "text" in part ? [part.text] : []));
  return /^[!-~]{1,255}$/.test(id) && !around.some((text) => id.includes(text));
}

function fill({ template }: CustomScheme, values: Values): SignedPart[] {
  return template.map((part) => ("text" in part ? part.text : values[part.placeholder]));
}

function keysOf(secret: string, settings: AdapterSettings): readonly Key[] {
  const scheme = customSchemeOf(settings);
  if (!scheme) return [];
  const { algorithm, secretEncoding } = scheme;
  const decode = {
    text: (text: string) => Buffer.from(text),
    hex: (text: string) => fromHex(text.toLowerCase()),
    base64: fromBase64,
  };
  const bytes = decode[secretEncoding](secret);
  if (!bytes || bytes.length === 0 || (algorithm === "ed25519" && bytes.length !== 32)) return [];
  return [{ algorithm, bytes }];
}

function sign({ body, type, id, secret, timestamp, url, settings }: MessageToSign): SignedMessage {
  const scheme = customSchemeOf(settings);
  if (!scheme) return { problem: "The endpoint's signature scheme is not set up" };
  const {
    algorithm,
    encoding,
    prefix,
    header,
    separator,
    idHeader,
    timestampHeader,
    timestampPrefix,
    timestampUnit,
    typeHeader,
  } = scheme;
  if (algorithm === "ed25519") return { problem: "The endpoint has a public key, which cannot sign" };
  const [key] = keysOf(secret, settings);
  if (!key) return { problem: `The secret is not ${scheme.secretEncoding}` };
  const time = String(timestampUnit === "ms" ? timestamp * 1000 : timestamp);
  const mac = macOf(algorithm, key.bytes, fill(scheme, { id, timestamp: time, body, url })).toString(encoding);
  const headers = {
    "content-type": "application/json",
    [header]: timestampPrefix === null ? prefix + mac : `${timestampPrefix}${time}${separator}${prefix}${mac}`,
    ...(idHeader !== null && { [idHeader]: id }),
    ...(timestampHeader !== null && { [timestampHeader]: time }),
    ...(typeHeader !== null && type !== null && { [typeHeader]: type }),
  };
  return { headers, body };
}

/** Any sender whose scheme can be described: its settings are in `custom-scheme.ts`. */
export const custom: Adapter = {
  name: "Custom",
  signatureName: "the signature header",
  toleranceSeconds: 300,
  contentTypes: ["application/json"],
  readClaim,
  keysOf,
  typedSecrets: true,
  identify: ({ headers, endpoint }, payload) => {
    const scheme = customSchemeOf(endpoint.settings);
    const header = (name: string | null | undefined) => (name ? shortText(headers.get(name)) : null);
    const value = (path: readonly string[] | null | undefined) => (path ? idText(valueAt(payload, ...path)) : null);
    return [
      {
        id: header(scheme?.idHeader) ?? value(scheme?.idPath),
        type: header(scheme?.typeHeader) ?? value(scheme?.typePath),
        objectKey: value(scheme?.objectPath),
      },
    ];
  },
  settingsFields: CUSTOM_FIELDS,
  settingsProblems: customSchemeProblems,
  sign,
  facts: {
    ackTimeoutMs: null,
    retries: "The sender decides.",
    givesUpAfterSeconds: null,
    resendWindowDays: null,
    secretHelp: "The sender's webhook settings",
    docsUrl: "https://www.standardwebhooks.com",
    dedupe: "provider_id",
    reconcile: false,
    keepDays: 90,
  },
  samples: {
    "example.created": { id: "{id}", type: "example.created", data: { id: "obj_sample" } },
    "example.updated": { id: "{id}", type: "example.updated", data: { id: "obj_sample" } },
  },
};
