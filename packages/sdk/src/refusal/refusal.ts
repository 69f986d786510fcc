/** What a page, handler or procedure requires of its caller. */
export type Demand = {
  /** All of these scopes. */
  scope?: string | readonly string[] | undefined;
  /** The user signed in at most this many seconds ago. */
  maxAge?: number | undefined;
  /** One of these levels of authentication. RFC 9470. */
  acr?: string | readonly string[] | undefined;
  /** Ask the server whether the session is active, and refuse with 503 if it cannot be asked. */
  live?: boolean | undefined;
};

/** Why a request was refused: a column of the failure table. PK-60. */
export type Refusal =
  | { reason: "signed_out" }
  | { reason: "insufficient_scope"; scope: readonly string[] }
  | { reason: "sign_in_too_old"; maxAge: number | undefined; acr: readonly string[] }
  | { reason: "unavailable"; retryAfterSeconds: number }
  | { reason: "cross_origin" };
