/** Every `error` that a guard answers with. OAuth 2.1 §5.3.2, RFC 9449 §7.1, §9, RFC 9470 §3. */
export type GuardErrorCode =
  | "invalid_request"
  | "invalid_token"
  | "insufficient_scope"
  | "insufficient_user_authentication"
  | "invalid_dpop_proof"
  | "use_dpop_nonce";

/** Which check of a guard failed. */
export type GuardCause =
  // the Authorization header
  | "authorization_repeated"
  | "token_missing"
  | "token_malformed"
  | "token_scheme_wrong"
  // the token
  | "token_unknown"
  | "token_expired"
  | "token_revoked"
  | "token_wrong_audience"
  | "token_of_other_environment"
  | "scope_insufficient"
  | "authentication_too_weak"
  | "authentication_too_old"
  // the proof of possession
  | "dpop_missing"
  | "dpop_malformed"
  | "dpop_key_unsuitable"
  | "dpop_signature_wrong"
  | "dpop_of_other_request"
  | "dpop_stale"
  | "dpop_replayed"
  | "dpop_nonce_missing"
  | "dpop_key_differs";

const STATUS: Partial<Record<GuardErrorCode, number>> = {
  invalid_token: 401,
  insufficient_user_authentication: 401,
  insufficient_scope: 403,
};

/** Facts about the cause, for a log. Never a secret. */
export type GuardErrorDetail = Record<string, string | number | boolean | null>;

type GuardErrorOptions = {
  /** For the caller: `error_description`. ASCII without quotes and backslash. */
  description?: string;
  detail?: GuardErrorDetail;
  /** Overrides the status of the code. */
  status?: number;
  headers?: Record<string, string>;
};

/**
 * A request that a guard rejects. The caller gets `code` and `description`; `refusalCause`, `message` and `detail` are
 * for a log and say which check failed.
 */
export class GuardError extends Error {
  override readonly name = "GuardError";
  readonly code: GuardErrorCode;
  readonly refusalCause: GuardCause;
  readonly status: number;
  readonly description: string | undefined;
  readonly detail: GuardErrorDetail;
  readonly headers: Record<string, string>;

  constructor(code: GuardErrorCode, cause: GuardCause, message: string, options: GuardErrorOptions = {}) {
    super(message);
    this.code = code;
    this.refusalCause = cause;
    this.status = options.status ?? STATUS[code] ?? 400;
    this.description = options.description;
    this.detail = options.detail ?? {};
    this.headers = options.headers ?? {};
  }
}

/** What a caller learns about an invalid token; a log has the cause. */
export const INVALID_TOKEN =
  "The access token is malformed, unknown, expired, revoked or for another resource or environment.";

/** 401: the token is not valid here. BR-05. */
export function invalidToken(cause: GuardCause, message: string, detail: GuardErrorDetail = {}): GuardError {
  return new GuardError("invalid_token", cause, message, { description: INVALID_TOKEN, detail });
}
