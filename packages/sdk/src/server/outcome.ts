// Apart from what sends requests, so that a proxy can know failures without loading that.

/** How long a server that did not answer is left alone by those who can do without it, in milliseconds. */
export const LEFT_ALONE_MS = 2000;
/** What `Retry-After` says where the server did not. */
export const RETRY_AFTER_SECONDS = 5;

/** The code or the refresh token is no longer valid. RFC 6749 §5.2. */
export class GrantEnded extends Error {
  override readonly name = "GrantEnded";
  readonly errorId: string | undefined;
  constructor(errorId: string | undefined) {
    super("the grant has ended");
    this.errorId = errorId;
  }
}
