/** Why a delivery was accepted or rejected. A closed list; the console explains each reason. */
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
  "provider_unreachable",
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

/** Reasons that can be counted without a row. A hit on an unknown provider is not a delivery. */
export type OverflowReason = DeliveryReason | "provider_unknown";

/** The reasons with which a delivery is rejected. */
export type RejectionReason = Exclude<DeliveryReason, "accepted" | "duplicate">;
