/** Why a delivery got the answer it got. The closed list of spec'd reasons; the console explains each. */
export const DELIVERY_REASONS = [
  "accepted",
  "duplicate",
  "signature_missing",
  "signature_mismatch",
  "signature_malformed",
  "signature_scheme_unknown",
  "timestamp_too_old",
  "timestamp_in_future",
  "secret_not_configured",
  "secret_unreadable",
  "provider_disabled",
  "method_not_allowed",
  "content_type_unsupported",
  "payload_too_large",
  "unparsable",
] as const;
export type DeliveryReason = (typeof DELIVERY_REASONS)[number];

export const DELIVERY_OUTCOMES = ["accepted", "duplicate", "rejected"] as const;
export type DeliveryOutcome = (typeof DELIVERY_OUTCOMES)[number];

export function outcomeOf(reason: DeliveryReason): DeliveryOutcome {
  return reason === "accepted" || reason === "duplicate" ? reason : "rejected";
}

/** What is only counted: hits on a provider that does not exist are no deliveries, and leave no row. */
export type OverflowReason = DeliveryReason | "provider_unknown";
