import { GatehouseError } from "../error.ts";

const TOLERANCE_SECONDS = 300;
const MAX_HEADER_LENGTH = 8192;
const MAX_SIGNATURES = 16;
/** Shorter ones are no secret that a server made. */
const MIN_SECRET_BYTES = 24;

type Bytes = Uint8Array<ArrayBuffer>;

/**
 * Resolves to the id of the message if one of the secrets signed `id.timestamp.body`. Every comparison takes constant
 * time. Standard Webhooks 1.0. PK-57.
 *
 * @throws GatehouseError as `verifyWebhook`.
 */
export async function assertSigned(
  headers: Headers,
  body: Bytes,
  secrets: readonly string[],
  nowMs: number,
): Promise<string> {
  if (secrets.length === 0) throw misconfigured();
  const keys = await Promise.all(secrets.map(importSecret));
  const id = headers.get("webhook-id") ?? "";
  const time = headers.get("webhook-timestamp") ?? "";
  // With a dot in the id, one signature would cover two splits into id and timestamp.
  if (!/^[!-~]{1,255}$/.test(id) || id.includes(".")) throw rejected("The header webhook-id is missing or not an id.");
  if (!/^\d{1,15}$/.test(time)) throw rejected("The header webhook-timestamp is missing or not a Unix time.");
  const signatures = readSignatures(headers.get("webhook-signature") ?? "");
  const signed = concat(new TextEncoder().encode(`${id}.${time}.`), body);
  if (!(await isSigned(signed, signatures, keys))) throw rejected("The signature does not match.");
  const skew = Number(time) - Math.floor(nowMs / 1000);
  if (Math.abs(skew) > TOLERANCE_SECONDS)
    throw rejected(
      `The event was signed ${Math.abs(skew)} s ${skew < 0 ? "ago" : "ahead of this clock"}; 300 s are allowed.`,
    );
  return id;
}

async function isSigned(signed: Bytes, signatures: readonly Bytes[], keys: readonly CryptoKey[]): Promise<boolean> {
  for (const key of keys)
    for (const signature of signatures) if (await crypto.subtle.verify("HMAC", key, signature, signed)) return true;
  return false;
}

/** `v1,<base64> v1,<base64> …`. Other schemes are skipped. */
function readSignatures(header: string): Bytes[] {
  if (header === "") throw rejected("The header webhook-signature is missing.");
  if (header.length > MAX_HEADER_LENGTH) throw rejected("The header webhook-signature is too long.");
  const found = header
    .split(/ +/)
    .flatMap((entry) => (entry.startsWith("v1,") ? (fromBase64(entry.slice(3)) ?? []) : []));
  if (found.length === 0) throw rejected("The header webhook-signature has no signature of the scheme v1.");
  return found.slice(0, MAX_SIGNATURES);
}

async function importSecret(secret: string): Promise<CryptoKey> {
  const text = typeof secret === "string" ? secret.trim() : "";
  const bytes = text.startsWith("whsec_") ? fromBase64(text.slice("whsec_".length)) : undefined;
  if (!bytes || bytes.length < MIN_SECRET_BYTES) throw misconfigured();
  return crypto.subtle.importKey("raw", bytes, { name: "HMAC", hash: "SHA-256" }, false, ["verify"]);
}

function fromBase64(text: string): Bytes | undefined {
  try {
    return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
  } catch {
    return undefined;
  }
}

function concat(first: Uint8Array, second: Uint8Array): Bytes {
  const all = new Uint8Array(first.length + second.length);
  all.set(first);
  all.set(second, first.length);
  return all;
}

const rejected = (message: string) => new GatehouseError("invalid_request", message);
const misconfigured = () =>
  new GatehouseError(
    "configuration",
    "The option secret of verifyWebhook must be the forwarding secret, whsec_ and base64, as the console showed it once.",
  );
