import type { OAuthErrorCode } from "./error.ts";

/**
 * The true causes of refusals, as the failure ledger records them. The response says less. A new check needs a new cause here and
 * its row in `table.ts`.
 */
export const REFUSAL_CAUSES = [
  // the request itself
  "method_not_allowed",
  "content_type_unsupported",
  "body_unreadable",
  "body_late",
  "parameter_missing",
  "parameter_repeated",
  "parameter_malformed",
  "parameter_in_query",
  "request_too_large",
  // the client
  "client_missing",
  "client_unknown",
  "client_disabled",
  "client_grant_not_allowed",
  "client_mechanisms_mixed",
  "client_credentials_malformed",
  "client_id_mismatch",
  "secret_missing",
  "secret_wrong",
  "secret_expired",
  "secret_retired",
  "secret_of_other_environment",
  "secret_of_other_client",
  "secret_from_public_client",
  "assertion_missing",
  "assertion_unexpected",
  "assertion_malformed",
  "assertion_key_unknown",
  "assertion_signature_wrong",
  "assertion_expired",
  "assertion_not_yet_valid",
  "assertion_wrong_audience",
  "assertion_replayed",
  "client_keys_unavailable",
  "client_document_unavailable",
  "client_document_invalid",
  "registration_closed",
  "registration_token_invalid",
  "registration_quota",
  "registration_blocked",
  "client_metadata_invalid",
  "client_redirect_uri_invalid",
  // signing in at a provider
  "upstream_state_unknown",
  "upstream_denied",
  "upstream_unavailable",
  "upstream_answer_invalid",
  "upstream_user_refused",
  // the authorization request
  "redirect_uri_missing",
  "redirect_uri_unregistered",
  "response_type_unsupported",
  "response_mode_unsupported",
  "request_object_unsupported",
  "pkce_missing",
  "pkce_method_unsupported",
  "pkce_challenge_malformed",
  "scope_malformed",
  "scope_unknown",
  "scope_left_out",
  "scope_not_allowed",
  "scope_exceeds_grant",
  "resource_unknown",
  "resource_ambiguous",
  "resource_of_other_environment",
  "resource_refuses_strangers",
  "scope_of_other_resource",
  "prompt_invalid",
  "prompt_none_unmet",
  "authentication_context_unknown",
  "authentication_level_unmet",
  "user_denied",
  "session_ended",
  "request_not_pushed",
  "pushed_request_unknown",
  "pushed_request_expired",
  "pushed_request_of_other_client",
  "pushed_request_used",
  "test_run_ended",
  "test_run_of_other_user",
  "test_run_differs",
  "test_run_redirect_differs",
  "preview_slot_ended",
  "pending_request_expired",
  "csrf_failed",
  "form_cookies_lost",
  // grants and tokens
  "grant_type_missing",
  "grant_type_unsupported",
  "code_unknown",
  "code_expired",
  "code_of_other_client",
  "code_replayed",
  "redirect_uri_differs",
  "verifier_missing",
  "verifier_malformed",
  "verifier_wrong",
  "verifier_attempts_exhausted",
  "refresh_token_unknown",
  "refresh_token_expired",
  "refresh_token_of_other_client",
  "refresh_token_reused",
  "device_code_unknown",
  "device_code_expired",
  "device_code_of_other_client",
  "device_code_used",
  "device_pending",
  "device_polled_too_fast",
  "device_denied",
  "grant_revoked",
  "user_disabled",
  "token_of_other_client",
  "token_of_other_environment",
  "token_without_user",
  "token_type_unsupported",
  "exchange_chain_too_long",
  // proof of possession
  "dpop_missing",
  "dpop_malformed",
  "dpop_key_unsuitable",
  "dpop_signature_wrong",
  "dpop_of_other_request",
  "dpop_stale",
  "dpop_replayed",
  "dpop_nonce_missing",
  "dpop_key_differs",
  // bearer use
  "token_missing",
  "token_malformed",
  "token_unknown",
  "token_expired",
  "token_revoked",
  "token_wrong_audience",
  "scope_insufficient",
  "authentication_too_weak",
  "authentication_too_old",
  "authorization_repeated",
  "token_scheme_wrong",
  // the server
  "rate_limited",
  "passwords_busy",
  "store_unavailable",
  "internal",
] as const;
/** The true cause of a refusal. */
export type RefusalCause = (typeof REFUSAL_CAUSES)[number];

/** Facts about the cause, for example `{ expiredBySeconds: 3 }` or `{ sent: "…", nearest: "…", differsAt: 27 }`. Never a secret. */
export type RefusalDetail = Record<string, string | number | boolean | null>;

/** A refused request: one row of the failure ledger. */
export type Refusal = {
  /** Short random id that the caller also got. D13. */
  errorId: string;
  /** Unix seconds. */
  at: number;
  /** The endpoint's path, e.g. "/token". */
  endpoint: string;
  error: OAuthErrorCode;
  cause: RefusalCause;
  /** Which check failed, for the console. */
  message: string;
  detail: RefusalDetail;
  clientId: string | null;
  address: string | null;
  /** The request was part of a test run: the entry is found by its id, and counts nowhere. CO-42. */
  testRun?: true;
};
