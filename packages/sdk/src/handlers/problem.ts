/** Why a sign-in or a sign-out failed. */
export type ProblemReason =
  /** The Gatehouse server does not answer. */
  | "unreachable"
  /** The user, or a rule of the server, denied access. */
  | "denied"
  /** The sign-in took too long, was already completed, or began in another browser. */
  | "expired"
  /** The server refused a request of this app. The cause is in its failure ledger. */
  | "failed"
  /** Several sign-ins in a row ended signed out. */
  | "looping"
  /** The session does not fit into cookies: configure `store`. */
  | "too_large"
  /** Signed out of this app, but the server could not be told. */
  | "sign_out_incomplete";

/** What a problem page shows. All members are safe to log; escape them in HTML. PK-60. */
export type Problem = {
  reason: ProblemReason;
  /** The HTTP status of the page. */
  status: number;
  /** The server's `error_id`, if it refused a request. */
  errorId: string | undefined;
  /** The path that signs in again; it leads to where the user wanted to go. */
  tryAgain: string;
};
