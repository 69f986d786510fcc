import type { Environment } from "./clients/client.ts";
import type { SigningAlgorithm } from "./clients/options.ts";
import type { Seal } from "./crypto/seal.ts";
import type { Random } from "./crypto/secret.ts";
import type { RefusalCause } from "./errors/refusal.ts";
import type { Throttle } from "./http/throttle.ts";
import type { ThrottleKey } from "./http/throttle-key.ts";
import type { FetchDocument, PostForm } from "./outbound/outbound.ts";
import type { ScopeTable } from "./resources/scope.ts";
import type { Store } from "./store/store.ts";

/** Where we are and what we protect. Comes from configuration, never from a request (D17). */
export type Config = {
  /** Exact issuer, no trailing slash: equals `iss` and metadata byte for byte. RFC 8414 §2. */
  issuer: string;
  /** The resource that `/api` is: `<issuer>/api`. RFC 9728 §3.3. */
  resource: string;
  /** Form of the access tokens for it, as for any resource: opaque unless said. RFC 9068. */
  tokenFormat?: "opaque" | "jwt";
  tokenAlgorithm?: SigningAlgorithm;
  /** Environments whose tokens our own API accepts; default all while the issuer is http, else production. D22. */
  apiEnvironments?: readonly Environment[];
  /** Who may register clients at `/register`: nobody, holders of an initial access token, anybody. RFC 7591 §3; default closed. */
  registration?: Registration;
  /** Every scope but those of registered resources: `SCOPES` and what the product adds; `SCOPES` unless said. */
  scopes?: ScopeTable;
  /** May a client be its own https document, without being registered? Default no. */
  clientMetadataDocuments?: boolean;
};

export const REGISTRATION_POLICIES = ["closed", "token", "open"] as const;
export type Registration = (typeof REGISTRATION_POLICIES)[number];

/** Everything the protocol may touch. Take only the part you use: `Pick<Deps, "now">`. */
export type Deps = {
  config: Config;
  store: Store;
  /** Unix seconds. */
  now: () => number;
  random: Random;
  seal: Seal;
  /** Slows down guesses at client secrets; without one nobody is slowed down. */
  throttle?: Throttle;
  /** Bounds pushed authorization requests; every push counts. `trustedClient`: with a secret, registered by an admin. RFC 9126 §2.3. */
  pushLimits?: { client: Throttle; trustedClient: Throttle; network: Throttle };
  /** The guarded ways out to URLs that clients name; without them no such URL is called. CI-05. */
  fetchDocument?: FetchDocument;
  postForm?: PostForm;
  /** Counts what strangers make us do: 0, or the seconds until this caller may do it again. Without it there is no limit. */
  quota?: (of: "registration" | "client document", key: ThrottleKey) => Promise<number>;
  /** Told of failures of our own that the caller only sees as `server_error`; the host logs them. */
  onError?: (error: unknown, errorId: string) => void;
};

/** What an endpoint is told about the caller besides the request. */
export type Caller = {
  /** The peer's address as our own server saw it; null when unknown. */
  address: string | null;
  /** Called with each refusal of this request, for the host's log. */
  onRefusal?: (refusal: RefusalLogEntry) => void;
};

/** What a log may say of a refusal: no secret, and no more of the caller than who it claims to be. */
export type RefusalLogEntry = {
  /** Null for ordinary steps, which are not in the failure ledger. */
  errorId: string | null;
  cause: RefusalCause;
  clientId: string | null;
};
