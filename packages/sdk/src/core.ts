import type { Demand, Refusal } from "./refusal/refusal.ts";
import type { Reading, ReadOptions } from "./session/reading.ts";
import type { Session } from "./session/session.ts";
import type { SessionSettings } from "./settings.ts";

/** What is read of a request. `url` may be a path; its host is not trusted. */
export type Incoming = Pick<Request, "method" | "headers" | "url">;

/** The session of a request that may pass, or why it may not. */
export type Protected = { setCookies: readonly string[] } & (
  | { ok: true; session: Session; accessToken: string }
  | { ok: false; refusal: Refusal }
);

/**
 * What every adapter is built on: Next, Express, Hono and tRPC call these functions, and know nothing else of cookies,
 * tokens or the server.
 */
export type Core = {
  /** The settings, read at the first call. Rejects with GatehouseError `configuration`. */
  settings(): Promise<SessionSettings>;
  /**
   * Reads the session: opens the cookie, renews tokens that expire soon, and asks the server every few seconds whether
   * the session is active. Two calls for the same request object are one reading.
   */
  read(request: Pick<Incoming, "method" | "headers">, options: ReadOptions): Promise<Reading>;
  /** Reads the session and compares it with what is required. */
  protect(request: Pick<Incoming, "method" | "headers">, demand: Demand, options: ReadOptions): Promise<Protected>;
  /**
   * The response to a refused request: a redirect to sign in for a navigation, an empty 204 for a prefetch, JSON for a
   * fetch. `setCookies` are sent along.
   */
  refuse(request: Incoming, refusal: Refusal, setCookies?: readonly string[]): Promise<Response>;
  /**
   * The path that signs the user in and returns to `returnTo`, a path of this app. What is required of the sign-in is
   * sealed into it, so that a link cannot weaken it.
   */
  signInPath(options: {
    returnTo: string;
    maxAge?: number | undefined;
    acr?: readonly string[] | undefined;
    prompt?: "login" | undefined;
  }): Promise<string>;
  /** Answers a request for one of the handlers below `path`; undefined for any other path. */
  handle(request: Request): Promise<Response | undefined>;
};
