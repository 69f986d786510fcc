import type { DeliveryReason } from "./reasons.ts";

type Refusal = Exclude<DeliveryReason, "accepted" | "duplicate">;

/**
 * What each refusal answers. Never 401 (that is a guard in the way), 3xx (senders do not follow) or 410 (senders then
 * switch the endpoint off): the status says who has to act, the sender or us.
 */
const ANSWERS: Record<Refusal, { status: number; error: string; message: string }> = {
  signature_missing: { status: 400, error: "invalid_delivery", message: "The delivery is not signed" },
  signature_mismatch: { status: 400, error: "invalid_delivery", message: "The signature does not fit the body under any active secret" },
  signature_malformed: { status: 400, error: "invalid_delivery", message: "The signature header cannot be read" },
  signature_scheme_unknown: { status: 400, error: "invalid_delivery", message: "The signature header has no scheme that is accepted" },
  timestamp_too_old: { status: 400, error: "invalid_delivery", message: "The delivery was signed too long ago" },
  timestamp_in_future: { status: 400, error: "invalid_delivery", message: "The delivery was signed in the future" },
  unparsable: { status: 400, error: "invalid_delivery", message: "The body is not JSON in UTF-8" },
  provider_disabled: { status: 404, error: "not_found", message: "This provider is switched off" },
  method_not_allowed: { status: 405, error: "method_not_allowed", message: "Deliveries are sent with POST" },
  payload_too_large: { status: 413, error: "payload_too_large", message: "The body is larger than 1 MiB" },
  content_type_unsupported: {
    status: 415,
    error: "unsupported_media_type",
    message: "The body has to be application/json, not compressed",
  },
  secret_not_configured: {
    status: 503,
    error: "temporarily_unavailable",
    message: "No signing secret is configured for this provider yet",
  },
  secret_unreadable: {
    status: 503,
    error: "temporarily_unavailable",
    message: "The signing secret of this provider cannot be read and has to be configured again",
  },
};

/** The status that goes with a reason. */
export function statusOf(reason: DeliveryReason): number {
  return reason === "accepted" || reason === "duplicate" ? 200 : ANSWERS[reason].status;
}

/** The answer to a delivery that was stored. */
export function received(reason: "accepted" | "duplicate", deliveryId: string): Response {
  const body = reason === "duplicate" ? { received: true, duplicate: true } : { received: true };
  return json(body, 200, { "gatehouse-delivery-id": deliveryId });
}

/** The answer to a delivery that was refused; `detail` goes on the end of the message. */
export function refused(reason: Refusal, detail: string | undefined, deliveryId: string): Response {
  const { status, error, message } = ANSWERS[reason];
  const headers: Record<string, string> = { "gatehouse-delivery-id": deliveryId };
  if (status === 405) headers["allow"] = "POST";
  if (status === 503) headers["retry-after"] = "60";
  return json({ error, reason, message: detail === undefined ? `${message}.` : `${message}: ${detail}.` }, status, headers);
}

/** There is no such provider. */
export function unknownProvider(known: readonly string[]): Response {
  return json({ error: "not_found", reason: "provider_unknown", message: `There is no such provider. Known: ${known.join(", ")}.` }, 404);
}

/** We could not keep it, so it is not acknowledged: the sender tries again. */
export function unavailable(): Response {
  const message = "The delivery could not be stored. It is not acknowledged; send it again.";
  return json({ error: "temporarily_unavailable", reason: "store_unavailable", message }, 503, { "retry-after": "5" });
}

function json(body: unknown, status: number, headers: Record<string, string> = {}): Response {
  return Response.json(body, { status, headers: { "cache-control": "no-store", ...headers } });
}
