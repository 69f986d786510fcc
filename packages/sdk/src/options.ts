import type { JWK } from "jose";
import type { GatehouseError } from "./error.ts";
import type { Problem } from "./handlers/problem.ts";

/** The environment of a client, and so of its tokens. */
export type Environment = "development" | "staging" | "production";

/**
 * Every option has a default or a variable; a product normally passes none. What variables could say is read at the first
 * request: an option may be a getter. PK-11, PK-12.
 */
export type GatehouseOptions = {
  /** The URL of the Gatehouse server, without a trailing slash. Default: `GATEHOUSE_ISSUER`. */
  issuer?: string | undefined;
  /** Default: `GATEHOUSE_CLIENT_ID`. */
  clientId?: string | undefined;
  /**
   * Default: `GATEHOUSE_CLIENT_SECRET`. `new,old` rotates: new requests and cookies use the first, cookies sealed with
   * the second can still be read.
   */
  clientSecret?: string | undefined;
  /** The private key of a `private_key_jwt` client, as a JWK with `alg` and `kid`. Replaces the client secret. */
  clientKey?: JWK | undefined;
  /**
   * At least 32 characters from which the cookie keys are derived; `new,old` rotates. Default:
   * `GATEHOUSE_COOKIE_SECRET`, otherwise the client secret.
   */
  cookieSecret?: string | undefined;
  /**
   * The URL of this app as browsers see it, with its base path if it has one. Default: `GATEHOUSE_APP_URL`. URLs come
   * from here, never from a request's headers.
   */
  appUrl?: string | undefined;
  /** For an app with several addresses: all of them, exactly. A request from another address uses the first. */
  appUrls?: readonly string[] | undefined;
  /** The identifier of this API, which access tokens must name as their audience. Default: `GATEHOUSE_RESOURCE`. */
  resource?: string | undefined;

  /** The scopes of this API, for the metadata that tells clients what to request. RFC 9728. */
  apiScopes?: readonly string[] | undefined;
  /**
   * How long, in seconds, a process trusts an introspected access token: a token that is revoked meanwhile still counts.
   * At most 10. Default 0: the server is asked at each call.
   */
  tokenCache?: number | undefined;
  /**
   * Spends the id of a DPoP proof: true the first time, and false from then on until `expiresAt` (Unix seconds). Needed
   * where an API has several processes, or a proof can be used once in each. Default: in the memory of the process.
   */
  spendOnce?: ((id: string, expiresAt: number) => boolean | Promise<boolean>) | undefined;

  /** Where the handlers are mounted. Default `/auth`. */
  path?: string | undefined;
  /** The scope to request, space-separated. Default `openid profile email offline_access`. */
  scope?: string | undefined;
  /** Accept sessions of this environment only. Default: that of the client at sign-in. */
  environment?: Environment | undefined;
  /**
   * How long, in seconds, a process trusts its last check that a session is still active. 0 checks on each request, the
   * maximum is 60. Default 10.
   */
  check?: number | undefined;
  /** `true` if the client's refresh tokens rotate. Then pages, which cannot set cookies, never renew. Default `false`. */
  rotation?: boolean | undefined;
  /** Keeps sessions on the server; the cookie then holds a random id. Needed for sessions that exceed four cookies. */
  store?: SessionStore | undefined;
  /** The path of this app where the browser lands after signing out. Default `/`. It must be registered for the client. */
  afterSignOut?: string | undefined;
  /** Renders the page for a sign-in or sign-out that failed, instead of the built-in page. */
  problemPage?: ((problem: Problem) => Response | Promise<Response>) | undefined;
  /** Called with every failure that a request survived or answered with 5xx. Default: `console.error`. */
  onError?: ((error: GatehouseError) => void) | undefined;

  /** The clock, in milliseconds as `Date.now()`. For tests. PK-68. */
  now?: (() => number) | undefined;
  /** A source of random bytes. For tests. */
  random?: ((bytes: number) => Uint8Array) | undefined;
  /** Sends requests to the Gatehouse server. Default: the global `fetch`. */
  fetch?: typeof fetch | undefined;
};

/** Where sessions are kept when not in the cookie, such as Redis or a table. Values are sealed by the SDK. */
export type SessionStore = {
  get(id: string): Promise<string | null | undefined>;
  /** `sid` is the session at Gatehouse, `expiresAt` in Unix seconds. */
  set(id: string, value: string, entry: { sid: string | null; expiresAt: number }): Promise<void>;
  delete(id: string): Promise<void>;
  /** Deletes every entry with this `sid`: the user signed out elsewhere. */
  deleteBySid(sid: string): Promise<void>;
};
