import type { DeliveryOutcome, DeliveryReason } from "@/trpc/types.ts";

type Reason = {
  /** What happened, in one line. */
  title: string;
  /** Why, and what to do about it. */
  text: string;
};

/** An explanation of every delivery reason. */
export const REASONS: Record<DeliveryReason, Reason> = {
  accepted: {
    title: "Signature valid, event stored",
    text: "The signature matches one of the provider’s active secrets and the timestamp is recent. The event was written to disk before the response was sent.",
  },
  duplicate: {
    title: "Duplicate event",
    text: "The signature is valid, but this event is already stored. The provider received a success response so that it stops retrying. The event was not processed twice.",
  },
  signature_missing: {
    title: "No signature",
    text: "The request has no signature header. Either it didn’t come from the provider, or a proxy removed the header. Check the endpoint URL in the provider’s dashboard and any proxy in front of this server.",
  },
  signature_mismatch: {
    title: "Signature doesn’t match",
    text: "The request was signed with a different secret, or its body was modified in transit. Compare the endpoint’s signing secret in the provider’s dashboard with the one configured here. Test and live mode have different secrets.",
  },
  signature_malformed: {
    title: "Malformed signature",
    text: "The signature header is not in this provider’s format. Usually a different provider or a manual request is calling this URL.",
  },
  signature_scheme_unknown: {
    title: "Unknown signature scheme",
    text: "The signature header has no version that Gatehouse supports. In the provider’s settings, choose the signature scheme that its documentation recommends.",
  },
  timestamp_too_old: {
    title: "Timestamp too old",
    text: "The signed timestamp is too far in the past. This can be a late retry with its original signature, a replay, or a wrong clock. Check this server’s clock first.",
  },
  timestamp_in_future: {
    title: "Timestamp in the future",
    text: "The signed timestamp is too far ahead of this server’s clock. Check that the clock is synchronized.",
  },
  secret_not_configured: {
    title: "No secret configured",
    text: "No signing secret is configured for this provider, so the delivery was rejected. Configure the secret, and the provider’s next retry will be accepted.",
  },
  secret_unreadable: {
    title: "Can’t decrypt the secret",
    text: "This provider’s signing secret was encrypted with a different GATEHOUSE_SECRET, so signatures can’t be verified. Configure the signing secret again, and the provider’s next retry will be accepted.",
  },
  provider_unreachable: {
    title: "Provider not reachable",
    text: "The provider’s certificate or API is needed to check this delivery, and it could not be reached. The provider’s next retry is checked again.",
  },
  provider_disabled: {
    title: "Provider disabled",
    text: "Deliveries from this provider are rejected while it is disabled.",
  },
  method_not_allowed: {
    title: "Method not allowed",
    text: "Webhooks use POST. A browser or a health check is probably calling this URL.",
  },
  content_type_unsupported: {
    title: "Content type not supported",
    text: "This provider doesn’t send this content type. Set the endpoint to JSON in the provider’s dashboard.",
  },
  payload_too_large: {
    title: "Payload too large",
    text: "The payload exceeds the size limit, so Gatehouse stopped reading it.",
  },
  unparsable: {
    title: "Can’t parse the payload",
    text: "The signature is valid, but the payload doesn’t match the provider’s documented format. Check the payload below, or contact the provider.",
  },
};

export const reasons = Object.keys(REASONS) as DeliveryReason[];

export const OUTCOMES: Record<DeliveryOutcome, { label: string; color: string }> = {
  accepted: { label: "Accepted", color: "teal" },
  duplicate: { label: "Duplicate", color: "indigo" },
  rejected: { label: "Rejected", color: "red" },
};

export const outcomes = Object.keys(OUTCOMES) as DeliveryOutcome[];
