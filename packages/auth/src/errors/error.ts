import type { RefusalCause, RefusalDetail } from "./refusal.ts";

/** Every value of `error` that we send, grouped by the section that defines it. */
export type OAuthErrorCode =
  // OAuth 2.1 §3.2.4, token endpoint
  | "invalid_request"
  | "invalid_client"
  | "invalid_grant"
  | "unauthorized_client"
  | "unsupported_grant_type"
  | "invalid_scope"
  // OAuth 2.1 §4.1.2.1, authorization endpoint
  | "access_denied"
  | "unsupported_response_type"
  | "server_error"
  | "temporarily_unavailable"
  // OpenID Connect Core §3.1.2.6
  | "login_required"
  | "consent_required"
  | "interaction_required"
  | "request_not_supported"
  | "request_uri_not_supported"
  // RFC 8707 §2
  | "invalid_target"
  // RFC 8628 §3.5
  | "authorization_pending"
  | "slow_down"
  | "expired_token"
  // RFC 7009 §2.2.1
  | "unsupported_token_type"
  // RFC 9126 §2.2, OpenID Connect Core §3.1.2.6
  | "invalid_request_uri"
  // RFC 9449 §5, §8
  | "invalid_dpop_proof"
  | "use_dpop_nonce"
  // OpenID Connect Unmet Authentication Requirements §2
  | "unmet_authentication_requirements"
  // RFC 9470 §3
  | "insufficient_user_authentication"
  // RFC 7591 §3.2.2
  | "invalid_redirect_uri"
  | "invalid_client_metadata"
  // OAuth 2.1 §5.3.2, guarded routes
  | "invalid_token"
  | "insufficient_scope";

const STATUS: Partial<Record<OAuthErrorCode, number>> = {
  invalid_client: 401,
  invalid_token: 401,
  insufficient_user_authentication: 401,
  insufficient_scope: 403,
  server_error: 500,
  temporarily_unavailable: 503,
};

/** The default HTTP status of a code. */
export function statusOf(code: OAuthErrorCode): number {
  return STATUS[code] ?? 400;
}

export type OAuthErrorOptions = {
  /**
   * For the caller: `error_description`, or the sentence on the error page. ASCII without quotes and backslash (AZ-25,
   * TK-11).
   */
  description?: string;
  detail?: RefusalDetail;
  /** Overrides the code's default status, for example with 405, 413 or 429. */
  status?: number;
  /** Extra response headers, for example `Allow` or `Retry-After`. */
  headers?: Record<string, string>;
  cause?: unknown;
};

/**
 * A refused request. The caller gets `code` and `description`; the failure ledger gets `refusalCause`, `message` and
 * `detail`, which say which check failed.
 */
export class OAuthError extends Error {
  override readonly name = "OAuthError";
  readonly code: OAuthErrorCode;
  readonly refusalCause: RefusalCause;
  readonly status: number;
  readonly description: string | undefined;
  readonly detail: RefusalDetail;
  readonly headers: Record<string, string>;

  constructor(code: OAuthErrorCode, cause: RefusalCause, message: string, options: OAuthErrorOptions = {}) {
    super(message, { cause: options.cause });
    this.code = code;
    this.refusalCause = cause;
    this.status = options.status ?? statusOf(code);
    this.description = options.description;
    this.detail = options.detail ?? {};
    this.headers = options.headers ?? {};
  }
}
