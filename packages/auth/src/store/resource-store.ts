import type { Environment } from "../clients/client.ts";
import type { PublicJwk, SigningAlgorithm } from "../clients/options.ts";
import type { Hash } from "../crypto/secret.ts";

export const ATTACHERS = ["admins", "developers"] as const;
/** Who may let a client ask for tokens of a resource: admins alone, or developers too, for the clients that they manage. */
export type Attacher = (typeof ATTACHERS)[number];

export const STRANGER_POLICIES = ["refused", "asked"] as const;
/** Clients that no admin registered: get no token for the resource, or get one when the user allows it. D21. */
export type StrangerPolicy = (typeof STRANGER_POLICIES)[number];

/** An API that tokens can be asked for. RFC 8707. Our own API (`config.resource`) is one without a row. */
export type ApiResource = {
  /** Absolute https (or loopback http) URI without fragment, as clients send it. */
  id: string;
  name: string;
  /** Its own scopes, with the words for the consent page. Names are unique over all resources and may not be one of `SCOPES`. */
  scopes: { name: string; description: string }[];
  /** `jwt`: RFC 9068, verified by the API itself; still revocable where we are asked. */
  tokenFormat: "opaque" | "jwt";
  tokenAlgorithm: SigningAlgorithm;
  /** Environments whose clients may ask for its tokens; null for the default, which follows the issuer. D22. */
  environments: Environment[] | null;
  attachedBy: Attacher;
  strangers: StrangerPolicy;
  createdAt: number;
  disabledAt: number | null;
};

/** One of our signing keys. `next` is published before it signs, `previous` after, so that no cached JWKS meets an unknown kid. */
export type SigningKey = {
  kid: string;
  algorithm: SigningAlgorithm;
  publicJwk: PublicJwk;
  /** The private JWK, sealed. */
  sealedPrivateJwk: string;
  createdAt: number;
  /** Unix seconds from which it signs; published before. */
  activeFrom: number;
  /** Unix seconds from which it no longer signs; null while it is the current or the next. */
  retiredAt: number | null;
  /** Unix seconds after which it leaves the JWKS: the last token it signed has expired. */
  removeAfter: number | null;
};

export type ResourceStore = {
  /** Every resource, disabled ones too. */
  listResources(): Promise<ApiResource[]>;
};

export type SigningKeyStore = {
  listSigningKeys(): Promise<SigningKey[]>;
  /** False when a key for this algorithm with the same `activeFrom` is there: another process was first. */
  saveSigningKey(key: SigningKey): Promise<boolean>;
  retireSigningKey(kid: string, at: { retiredAt: number; removeAfter: number }): Promise<void>;
};

/** A pushed authorization request. RFC 9126. */
export type PushedRequest = {
  hash: Hash;
  clientId: string;
  /** The request's parameters, form-encoded. */
  parameters: string;
  dpopJkt: string | null;
  expiresAt: number;
  usedAt: number | null;
};

export type PushedRequestStore = {
  savePushedRequest(request: Omit<PushedRequest, "usedAt">): Promise<void>;
  findPushedRequest(hash: Hash): Promise<PushedRequest | undefined>;
  /**
   * One conditional statement: true for the one authorization that completes with it, which may be after `expiresAt`: until
   * then it has to be opened. PA-04.
   */
  usePushedRequest(hash: Hash, now: number): Promise<boolean>;
};

export type ReplayStore = {
  /** True the first time this key (a `jti` with its owner) is seen before `expiresAt`; one statement, over all processes. */
  spendOnce(key: Hash, expiresAt: number): Promise<boolean>;
};

/** A client was told, or is to be told, that a session ended. OpenID Connect Back-Channel Logout. */
export type LogoutNotice = {
  id: string;
  clientId: string;
  userId: string;
  sessionId: string;
  attempts: number;
  nextAttemptAt: number;
  createdAt: number;
  doneAt: number | null;
  lastError: string | null;
};

export type LogoutNoticeStore = {
  /** One notice for each client with a live grant of this session and a logout URI. */
  queueLogoutNotices(sessionId: string, now: number): Promise<void>;
  /** Takes due notices for this worker: conditional, so that no two processes send the same one at once. */
  takeLogoutNotices(now: number, limit: number): Promise<LogoutNotice[]>;
  settleLogoutNotice(id: string, outcome: { doneAt: number } | { nextAttemptAt: number; lastError: string }): Promise<void>;
};

/** A token that allows registering clients. RFC 7591 §3. */
export type InitialAccessToken = { hash: Hash; name: string; remaining: number | null; expiresAt: number | null; createdAt: number };
