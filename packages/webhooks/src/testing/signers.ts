import { createHmac } from "node:crypto";

/** The headers that Stripe sends with this body, signed at `timestamp` (Unix seconds). */
export function stripeHeaders(body: string | Uint8Array, secret: string, timestamp: number): Record<string, string> {
  const mac = createHmac("sha256", secret).update(`${timestamp}.`).update(body).digest("hex");
  return { "content-type": "application/json; charset=utf-8", "stripe-signature": `t=${timestamp},v1=${mac}` };
}

/** The headers that a Standard Webhooks sender sends with this body. `prefix` is "svix" for Svix and Clerk. */
export function standardHeaders(
  body: string | Uint8Array,
  secret: string,
  { id, timestamp, prefix = "webhook" }: { id: string; timestamp: number; prefix?: string },
): Record<string, string> {
  const key = Buffer.from(secret.replace(/^whsec_/, ""), "base64");
  const mac = createHmac("sha256", key).update(`${id}.${timestamp}.`).update(body).digest("base64");
  return {
    "content-type": "application/json",
    [`${prefix}-id`]: id,
    [`${prefix}-timestamp`]: String(timestamp),
    [`${prefix}-signature`]: `v1,${mac}`,
  };
}
