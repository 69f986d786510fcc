/** Why a delivery was rejected, as far as it can be computed. */
export const FINDING_KINDS = [
  "now_valid",
  "other_environment_secret",
  "other_endpoint_secret",
  "ended_secret",
  "sender_test_secret",
  "trailing_whitespace",
  "quoted_secret",
  "decoded_secret",
  "raw_secret",
  "reserialised_json",
  "escaped_json",
  "crlf",
  "trailing_newline",
  "byte_order_mark",
  "compressed_body",
  "empty_body",
  "url_variant",
  "untrusted_certificate",
  "other_provider",
  "unreadable_signature",
  "clock",
  "milliseconds",
] as const;
export type FindingKind = (typeof FINDING_KINDS)[number];

/**
 * One finding. Neither sentence contains a secret or a signature, except the name and the last characters of a secret.
 */
export type Finding = {
  kind: FindingKind;
  /** What happened. */
  sentence: string;
  /** What to do about it. */
  fix: string;
};

/** A change under which the signature might match, and what it would mean. Null: no change. */
export type Variant<T> = { value: T; finding: Finding | null };
