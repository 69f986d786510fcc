/** What went wrong, for code that reacts to it. */
export type GatehouseErrorCode =
  /** A variable or an option is missing or wrong, or the server is too old. The message names all of it, and the fix. */
  | "configuration"
  /** Nobody is signed in, or the session has ended. */
  | "signed_out"
  /** The session or the token lacks a scope. */
  | "insufficient_scope"
  /** The sign-in is too old or too weak. RFC 9470. */
  | "insufficient_user_authentication"
  /** An unsafe request that no page of this app sent. */
  | "cross_origin"
  /** The access token is unknown, expired, revoked, or for another API or environment. */
  | "invalid_token"
  /** The request cannot be understood. */
  | "invalid_request"
  /** The session does not fit into cookies. */
  | "session_too_large"
  /** The Gatehouse server cannot be reached, or asked to wait. */
  | "unavailable"
  /** The Gatehouse server refused a request of the SDK. `errorId` finds the cause in its failure ledger. */
  | "server_error";

/** The HTTP status that a response to this error has. */
const STATUS: Record<GatehouseErrorCode, number> = {
  configuration: 500,
  signed_out: 401,
  insufficient_scope: 403,
  insufficient_user_authentication: 401,
  cross_origin: 403,
  invalid_token: 401,
  invalid_request: 400,
  session_too_large: 500,
  unavailable: 503,
  server_error: 502,
};

/**
 * The only error that the SDK throws. Its message is for developers and logs: it never contains a token, a cookie, a
 * code or a secret. PK-60.
 */
export class GatehouseError extends Error {
  override readonly name = "GatehouseError";
  readonly code: GatehouseErrorCode;
  /** The HTTP status to respond with. */
  readonly status: number;
  /** The server's `error_id`: `gatehouse why <error_id>` and the console show the cause. */
  readonly errorId: string | undefined;
  /** Only of `unavailable`: when to try again, in seconds. */
  readonly retryAfterSeconds: number | undefined;

  /** Only of an access token that was rejected: the `WWW-Authenticate` header to respond with. */
  readonly challenge: string | undefined;

  constructor(
    code: GatehouseErrorCode,
    message: string,
    {
      errorId,
      retryAfterSeconds,
      challenge,
      ...options
    }: ErrorOptions & {
      errorId?: string | undefined;
      retryAfterSeconds?: number | undefined;
      challenge?: string | undefined;
    } = {},
  ) {
    super(message, options);
    this.code = code;
    this.status = STATUS[code];
    this.errorId = errorId;
    this.retryAfterSeconds = retryAfterSeconds;
    this.challenge = challenge;
  }
}
