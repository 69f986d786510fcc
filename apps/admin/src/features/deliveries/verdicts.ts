import type { DeliveryOutcome, DeliveryReason } from "@/trpc/types.ts";

type Verdict = {
  /** What happened, in one line. */
  title: string;
  /** Why, and what to do about it. */
  text: string;
};

/** Every reason of the closed list, for whoever has to find out why a delivery failed. */
export const VERDICTS: Record<DeliveryReason, Verdict> = {
  accepted: {
    title: "Signature valid, event stored",
    text: "The signature matches one of the provider’s active secrets and its timestamp is fresh. The event was on disk before the answer left.",
  },
  duplicate: {
    title: "Signature valid, seen before",
    text: "The provider sent an event again that is already stored. It got a success answer, so that it stops, and nothing was done twice.",
  },
  signature_missing: {
    title: "No signature",
    text: "The request carries no signature header. It did not come from the provider, or something between strips the header. Check the endpoint’s URL in the provider’s dashboard, and any proxy on the way.",
  },
  signature_mismatch: {
    title: "Signature does not match",
    text: "The signature was made with another secret, or the body was changed on the way. Compare the signing secret of this endpoint in the provider’s dashboard with the one configured here; test and live mode have different ones.",
  },
  signature_malformed: {
    title: "Signature cannot be read",
    text: "There is a signature header, but not in the shape this provider uses. Most often another provider, or a hand-made request, is calling this URL.",
  },
  signature_scheme_unknown: {
    title: "Unknown signature scheme",
    text: "The signature header holds no version that is understood here. Choose the scheme in the provider’s settings that its documentation calls current.",
  },
  timestamp_too_old: {
    title: "Timestamp too old",
    text: "The signed time lies too far in the past: a late retry with its old signature, a replay, or a clock that is wrong. Check this server’s clock first.",
  },
  timestamp_in_future: {
    title: "Timestamp in the future",
    text: "The signed time lies ahead of this server’s clock by more than is allowed. Check that the clock is synchronised.",
  },
  secret_not_configured: {
    title: "No secret configured",
    text: "The delivery is signed, but no signing secret is set for this provider, so it was refused and the provider will try again. Configure the secret; the retries then arrive.",
  },
  secret_unreadable: {
    title: "Secret cannot be read",
    text: "A signing secret is set for this provider, but it was encrypted with another GATEHOUSE_SECRET, so no signature can be checked. The provider will try again. Configure the same secret again; the retries then arrive.",
  },
  provider_disabled: {
    title: "Provider is switched off",
    text: "Deliveries of this provider are refused while it is switched off.",
  },
  method_not_allowed: {
    title: "Wrong method",
    text: "Webhooks are sent with POST. A browser or a health check is probably calling this URL.",
  },
  content_type_unsupported: {
    title: "Content type not supported",
    text: "The body is not of a type this provider sends. Set the endpoint to JSON in the provider’s dashboard.",
  },
  payload_too_large: { title: "Body too large", text: "The body is larger than is accepted, so it was not read to the end." },
  unparsable: {
    title: "Body cannot be read",
    text: "The signature is valid, but the body is not what this provider documents. Look at it below, and ask the provider.",
  },
};

export const reasons = Object.keys(VERDICTS) as DeliveryReason[];

export const OUTCOMES: Record<DeliveryOutcome, { label: string; color: string }> = {
  accepted: { label: "Accepted", color: "teal" },
  duplicate: { label: "Duplicate", color: "indigo" },
  rejected: { label: "Rejected", color: "red" },
};

export const outcomes = Object.keys(OUTCOMES) as DeliveryOutcome[];
