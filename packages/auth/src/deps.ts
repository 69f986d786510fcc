import type { ThrottleKey } from "@gatehouse/runtime";
import type { Environment } from "./clients/client.ts";
import type { SigningAlgorithm } from "./clients/options.ts";
import type { Seal } from "./crypto/seal.ts";
import type { Random } from "./crypto/secret.ts";
import type { RefusalCause } from "./errors/refusal.ts";
import type { Throttle } from "./http/throttle.ts";
import type { FetchDocument, PostForm } from "./outbound/outbound.ts";
import type { PolicyDeps } from "./request-policy.ts";
import type { ScopeTable } from "./resources/scope-table.ts";
import type { LevelSettings } from "./sessions/levels.ts";
import type { Store } from "./store/store.ts";
import type { Usage } from "./usage.ts";

/** Who the server is and what it protects. Comes from configuration, never from a request (D17). */
export type Config = LevelSettings & {
  /** The exact issuer, without trailing slash: `iss` and the metadata contain it byte for byte. RFC 8414 §2. */
  issuer: string;
  /** The resource identifier of our own API: `<issuer>/api`. RFC 9728 §3.3. */
  resource: string;
  /** Format of the access tokens for our own API; default opaque. RFC 9068. */
  tokenFormat?: "opaque" | "jwt";
  tokenAlgorithm?: SigningAlgorithm;
  /**
   * Environments whose tokens our own API accepts; default: all while the issuer is http, otherwise production. D22.
   */
  apiEnvironments?: readonly Environment[];
  /**
   * Who may register clients at `/register`: nobody, holders of an initial access token, or anybody. Default closed.
   * RFC 7591 §3.
   */
  registration?: RegistrationPolicy;
  /** Private schemes that clients may register themselves; default those of common editors. CF-14. */
  registrationSchemes?: readonly string[];
  /** Every scope but those of registered resources: `SCOPES` and what the product adds; `SCOPES` unless said. */
  scopes?: ScopeTable;
  /** Whether a client id can be the URL of a client metadata document. Default no. */
  clientMetadataDocuments?: boolean;
  /** The languages of the pages, for the metadata. */
  uiLocales?: readonly string[];
};

/** Every {@link RegistrationPolicy}. */
export const REGISTRATION_POLICIES = ["closed", "token", "open"] as const;
/** Who may register clients: nobody, holders of an initial access token, or anybody. RFC 7591 §3. */
export type RegistrationPolicy = (typeof REGISTRATION_POLICIES)[number];

/** Every {@link Quota}. */
export const QUOTAS = [
  "registration",
  "registration in a crowd",
  "registration change",
  "registration changes",
  "client document",
  "client fetch",
  "client fetch from host",
] as const;
/**
 * What strangers can trigger a limited number of times: registrations, by address, and by network while many wait for
 * their first user · changes of one registration, and of all by address · documents of clients that users bring, by
 * address · requests to URLs that self-described clients name, by network, and by network and host. DC-06, CI-10.
 */
export type Quota = (typeof QUOTAS)[number];

/** Everything the protocol depends on. Take only the part you use: `Pick<Deps, "now">`. */
export type Deps = PolicyDeps & {
  config: Config;
  store: Store;
  /** Unix seconds. */
  now: () => number;
  random: Random;
  seal: Seal;
  /** Limits guesses at client secrets; without it there is no limit. */
  throttle?: Throttle;
  /**
   * Limit pushed authorization requests; every push counts. `trustedClient`: confidential and registered by an admin.
   * RFC 9126 §2.3.
   */
  pushLimits?: { client: Throttle; trustedClient: Throttle; network: Throttle };
  /**
   * Requests to URLs that clients name, as `createOutbound` makes them; without these no such URL is requested. CI-05.
   */
  fetchDocument?: FetchDocument;
  postForm?: PostForm;
  /**
   * Limits what strangers can trigger. Counts one, and returns 0 or the seconds to wait. Without it there is no limit.
   */
  quota?: (of: Quota, key: ThrottleKey) => Promise<number>;
  /** Counts tokens, sign-ins and refusals for statistics; without it nothing is counted. CO-12. */
  usage?: Usage | undefined;
  /** Called with internal errors, which the caller sees as `server_error` only; the host logs them. */
  onError?: (error: unknown, errorId: string, requestId?: string | undefined) => void;
};

/** What an endpoint knows about the caller besides the request. */
export type Caller = {
  /** The caller's IP address as the server saw it; null when unknown. */
  address: string | null;
  /** The id of the request, for logs. */
  requestId?: string | undefined;
  /** Called with the id of the client, once it is authenticated or its access token is accepted, for the host's log. */
  onClient?: (clientId: string) => void;
  /** Called for each refusal of this request, for the host's log. */
  onRefusal?: (refusal: RefusalLogEntry) => void;
};

/** What the log says about a refusal. Contains no secret, and about the caller only the client id it claimed. */
export type RefusalLogEntry = {
  /** Null for ordinary protocol steps, which are not recorded in the failure ledger. */
  errorId: string | null;
  /** A {@link RefusalCause}, or why a sign-in failed. */
  cause: string;
  clientId: string | null;
};
