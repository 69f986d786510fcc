import type { Adapter } from "./providers/adapter.ts";
import type { DeliveryReason, RejectionReason } from "./reasons.ts";

/**
 * The response to each rejection. The status says who has to act, the sender or us. Never 401 unless the provider asks
 * for it (it would be a guard in the way), 3xx (senders do not follow redirects) or 410 (senders then disable the
 * endpoint).
 */
const ANSWERS: Record<RejectionReason, { status: number; error: string; message: string }> = {
  signature_missing: { status: 400, error: "invalid_delivery", message: "The delivery is not signed" },
  signature_mismatch: {
    status: 400,
    error: "invalid_delivery",
    message: "The signature does not match the body with any active secret",
  },
  signature_malformed: { status: 400, error: "invalid_delivery", message: "The signature is malformed" },
  signature_scheme_unknown: {
    status: 400,
    error: "invalid_delivery",
    message: "The signature has no supported scheme",
  },
  timestamp_too_old: { status: 400, error: "invalid_delivery", message: "The delivery was signed too long ago" },
  timestamp_in_future: { status: 400, error: "invalid_delivery", message: "The delivery was signed in the future" },
  unparsable: { status: 400, error: "invalid_delivery", message: "The body cannot be parsed" },
  provider_disabled: { status: 404, error: "not_found", message: "This endpoint is disabled" },
  method_not_allowed: { status: 405, error: "method_not_allowed", message: "Send deliveries with POST" },
  payload_too_large: { status: 413, error: "payload_too_large", message: "The body is larger than 1 MiB" },
  content_type_unsupported: {
    status: 415,
    error: "unsupported_media_type",
    message: "The body has a content type or encoding that this provider does not send",
  },
  secret_not_configured: {
    status: 503,
    error: "temporarily_unavailable",
    message: "No signing secret is configured for this provider",
  },
  secret_unreadable: {
    status: 503,
    error: "temporarily_unavailable",
    message: "The signing secret of this provider cannot be decrypted and must be configured again",
  },
  provider_unreachable: {
    status: 503,
    error: "temporarily_unavailable",
    message: "The provider could not be asked to confirm this delivery",
  },
};

type Answers = Pick<Adapter, "answers">;

/** The HTTP status for a reason. */
export function statusOf(reason: DeliveryReason, { answers }: Answers): number {
  return reason === "accepted" || reason === "duplicate"
    ? 200
    : (answers?.statuses?.[reason] ?? ANSWERS[reason].status);
}

/** The response to a delivery that was stored. */
export function received(reason: "accepted" | "duplicate", deliveryId: string, { answers }: Answers): Response {
  const isOwn = answers?.accepted === undefined;
  const headers = {
    "content-type": isOwn ? "application/json" : TEXT,
    "cache-control": "no-store",
    "gatehouse-delivery-id": deliveryId,
  };
  return new Response(isOwn ? RECEIVED[reason] : answers.accepted, { headers });
}

const TEXT = "text/plain;charset=UTF-8";
const RECEIVED = {
  accepted: JSON.stringify({ received: true }),
  duplicate: JSON.stringify({ received: true, duplicate: true }),
};

/** The response to a rejected delivery. `detail` is appended to the message. */
export function rejected(
  reason: RejectionReason,
  detail: string | undefined,
  deliveryId: string,
  adapter: Answers,
): Response {
  const { error, message } = ANSWERS[reason];
  const status = statusOf(reason, adapter);
  const headers: Record<string, string> = { "gatehouse-delivery-id": deliveryId };
  if (status === 405) headers["allow"] = "POST";
  if (status === 503) headers["retry-after"] = "60";
  return json(
    { error, reason, message: detail === undefined ? `${message}.` : `${message}: ${detail}.` },
    status,
    headers,
  );
}

/** The response for an unknown endpoint. */
export function unknownProvider(known: readonly string[]): Response {
  return json(
    {
      error: "not_found",
      reason: "provider_unknown",
      message: `There is no such webhook endpoint. Known providers: ${known.join(", ")}.`,
    },
    404,
  );
}

/** The response when storing failed: 503, so that the sender retries. */
export function unavailable(): Response {
  const message = "The delivery could not be stored. Send it again.";
  return json({ error: "temporarily_unavailable", reason: "store_unavailable", message }, 503, { "retry-after": "5" });
}

function json(body: unknown, status: number, headers: Record<string, string> = {}): Response {
  return Response.json(body, { status, headers: { "cache-control": "no-store", ...headers } });
}
