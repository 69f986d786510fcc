import type { Session } from "./session.ts";

/**
 * The session of one request. `setCookies` are `Set-Cookie` values for its response: without them a renewed session is
 * lost. Caches must not store a response that sets them.
 */
export type Reading = { setCookies: readonly string[] } & (
  | { kind: "signed_in"; session: Session; accessToken: string }
  | { kind: "signed_out" }
  /** An unsafe request with a session cookie that no page of this app sent. */
  | { kind: "cross_origin" }
  /** The access token has expired, and the server cannot be asked for another. Nobody is signed out. */
  | { kind: "unavailable"; retryAfterSeconds: number }
);

export type ReadOptions = {
  /** False where the caller cannot send `Set-Cookie`, as in a page that renders: then nothing is lost or ended. */
  canSetCookies: boolean;
  /** Ask the server now, whatever was known. */
  live?: boolean | undefined;
};
