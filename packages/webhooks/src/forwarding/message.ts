import { createHash } from "node:crypto";
import type { Environment } from "../endpoint.ts";
import { macOf } from "../providers/signatures.ts";
import { standardKeys } from "../providers/standard-webhooks.ts";

const SECRET_BYTES = 32;

/** Makes a secret that forwarded events are signed with: `whsec_` and base64. In: a source of random bytes. */
export function mintForwardingSecret(random: (length: number) => Uint8Array): string {
  return `whsec_${Buffer.from(random(SECRET_BYTES)).toString("base64")}`;
}

export type ForwardedEvent = {
  /** The same at every attempt: see {@link messageIdOf}. */
  id: string;
  provider: string;
  /** The slug of the endpoint. */
  endpoint: string;
  /** The one that the delivery arrived in. */
  environment: Environment;
  type: string | null;
  /** The bytes as the provider sent them. */
  body: Uint8Array;
  contentType: string;
};

/** The id of an event's message: one for each event of an endpoint, whatever the provider's ids are. */
export function messageIdOf(endpoint: string, key: Uint8Array): string {
  return `evt_${createHash("sha256").update(`${endpoint}\n`).update(key).digest("base64url").slice(0, 32)}`;
}

/**
 * The headers of a forwarded event, signed as Standard Webhooks 1.0 asks: `v1,<base64 of HMAC-SHA256>` over
 * `id.timestamp.body`, one signature for each secret. `timestamp`: Unix seconds. Throws if a secret is not `whsec_…`.
 */
export function forwardedHeaders(
  { id, provider, endpoint, environment, type, body, contentType }: ForwardedEvent,
  secrets: readonly string[],
  timestamp: number,
): Record<string, string> {
  return {
    "content-type": contentType,
    "gatehouse-provider": provider,
    "gatehouse-endpoint": endpoint,
    "gatehouse-environment": environment,
    ...(type !== null && { "gatehouse-event-type": headerText(type) }),
    "webhook-id": id,
    "webhook-timestamp": String(timestamp),
    "webhook-signature": secrets.map((secret) => signatureWith(secret, `${id}.${timestamp}.`, body)).join(" "),
  };
}

function signatureWith(secret: string, prefix: string, body: Uint8Array): string {
  const key = standardKeys(secret).find(({ algorithm }) => algorithm === "hmac-sha256");
  if (!key) throw new Error("a forwarding secret is not whsec_ and base64");
  return `v1,${macOf("hmac-sha256", key.bytes, [prefix, body]).toString("base64")}`;
}

/** Providers choose event types, and a header takes printable ASCII only. Everything else is percent-encoded. */
function headerText(type: string): string {
  return type.replaceAll(/[^\x21-\x7E]|%/gu, encodeURIComponent);
}
