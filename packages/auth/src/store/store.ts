import type { Client, ClientType, Environment } from "../clients/client.ts";
import type { Hash } from "../crypto/secret.ts";
import type { Refusal } from "../errors/refusal.ts";
import type { TokenContext } from "../tokens/context.ts";
import type { RegistrationStore } from "./registration-store.ts";
import type { LogoutNoticeStore, PushedRequestStore, ReplayStore, ResourceStore, SigningKeyStore } from "./resource-store.ts";

/** What the protocol needs kept. Times are Unix seconds; scopes are space-separated, as on the wire. */
export type Store = ClientStore &
  GrantStore &
  CodeStore &
  AccessTokenStore &
  RefreshTokenStore &
  DeviceCodeStore &
  ConsentStore &
  SessionStore &
  RefusalStore &
  ResourceStore &
  SigningKeyStore &
  PushedRequestStore &
  ReplayStore &
  LogoutNoticeStore &
  RegistrationStore;

export const ROLES = ["admin", "developer", "viewer", "user"] as const;
/** What a user may do in the console: everything · development and staging · look · nothing. */
export type Role = (typeof ROLES)[number];

export const REGISTRARS = ["self", "operator"] as const;
/** Who created an account: the person, at the sign-up page, or an operator, who vouches for the address. */
export type Registrar = (typeof REGISTRARS)[number];

export type User = {
  id: string;
  email: string;
  name: string;
  role: Role;
  disabledAt: number | null;
  /** Sessions and grants store the epoch they were made in. Raising it ends them all, including those still being written. */
  accessEpoch: number;
};

export type ClientStore = {
  /** The client with its application's name and all its secrets, live or not; undefined when unknown. */
  findClient(clientId: string): Promise<Client | undefined>;
  /** The client of the same application that this secret belongs to; asked only when authentication has failed already. */
  findSecretOwner(applicationId: string, hash: Hash): Promise<{ clientId: string; environment: Environment } | undefined>;
  /** Notes that a secret authenticated; may be written behind. */
  touchClientSecret(secretId: string, now: number): Promise<void>;
};

/**
 * A grant is what one user allowed one client, once. Every code, access token and refresh token hangs on it:
 * stamping the grant kills them all, those still being written too.
 */
export type Grant = {
  id: string;
  clientId: string;
  userId: string;
  scope: string;
  createdAt: number;
  /** Public id of the session it was allowed in; null for none (device). */
  sessionId: string | null;
  /** The user's epoch when the grant was made. A different one now means that the grant has ended. */
  accessEpoch: number;
  revokedAt: number | null;
};

export type GrantStore = {
  /** Writes the grant. With `liveSession` (a public id), writes it only if that session is live, in one step; otherwise returns false. */
  saveGrant(grant: Omit<Grant, "revokedAt">, liveSession?: string): Promise<boolean>;
  /** Idempotent; `reason` is for the log, e.g. "code replayed". */
  revokeGrant(grantId: string, reason: string, now: number): Promise<void>;
};

/** The state of what a credential hangs on; each of them is re-read with it, so revoking anything acts at once. */
export type Standing = {
  /** null for a client's own tokens (client credentials). Not null when the grant is from an earlier epoch of its user. */
  grantRevokedAt: number | null;
  clientEnabled: boolean;
  userDisabledAt: number | null;
};

export type AuthorizationCode = {
  hash: Hash;
  grantId: string;
  clientId: string;
  userId: string;
  redirectUri: string;
  /** S256 only, so no method beside it. */
  codeChallenge: string;
  scope: string;
  /** The resources it may be traded for tokens of, space-separated; null is our own API. RFC 8707. */
  audience: string | null;
  /** Unix seconds of the sign-in that this code rests on. */
  authTime: number;
  context: TokenContext | null;
  createdAt: number;
  expiresAt: number;
  /** Set once, by {@link CodeStore.redeemCode}. */
  redeemedAt: number | null;
  /** Wrong verifiers so far; the code dies at five. PK-06. */
  failedAttempts: number;
};

export type CodeStore = {
  saveCode(code: Omit<AuthorizationCode, "redeemedAt" | "failedAttempts">): Promise<void>;
  findCode(hash: Hash): Promise<(AuthorizationCode & Standing & { user: TokenUser }) | undefined>;
  /**
   * Spends the code and writes what it buys, both or neither. One conditional statement decides: true for exactly one
   * of any number of racing callers, and of nobody else is anything written.
   */
  redeemCode(hash: Hash, now: number, bought: NewTokens): Promise<boolean>;
  countFailedVerifier(hash: Hash): Promise<void>;
};

export type AccessToken = {
  hash: Hash;
  /** Public id of the token (`jti`). */
  id: string;
  grantId: string | null;
  clientId: string;
  /** null when the client acts for itself. */
  userId: string | null;
  scope: string;
  /** The resource it is meant for. RFC 8707. */
  audience: string;
  context: TokenContext | null;
  environment: Environment;
  issuedAt: number;
  expiresAt: number;
  revokedAt: number | null;
};

/** What id tokens, introspection and the guard say of the user of a code or token. */
export type TokenUser = { email: string; name: string; role: Role } | null;

export type NewAccessToken = Omit<AccessToken, "revokedAt">;
export type NewRefreshToken = Omit<RefreshToken, "rotatedAt" | "successorHash" | "sealedResponse">;
/** What one grant yields at a time. */
export type NewTokens = { accessToken: NewAccessToken; refreshToken: NewRefreshToken | undefined };

export type AccessTokenStore = {
  saveAccessToken(token: NewAccessToken): Promise<void>;
  findAccessToken(hash: Hash): Promise<(AccessToken & Standing & { user: TokenUser }) | undefined>;
  /** Those of a few tokens that are there, in any order. */
  findAccessTokens(hashes: readonly Hash[]): Promise<(AccessToken & Standing)[]>;
  revokeAccessToken(hash: Hash, now: number): Promise<void>;
};

export type RefreshToken = {
  hash: Hash;
  grantId: string;
  clientId: string;
  userId: string;
  scope: string;
  /** The resources it may be traded for tokens of, space-separated. */
  audience: string;
  context: TokenContext | null;
  createdAt: number;
  /** Idle expiry: moves on with each rotation, never past `absoluteExpiresAt`. */
  expiresAt: number;
  absoluteExpiresAt: number;
  rotatedAt: number | null;
  successorHash: Hash | null;
  /** The answer given at rotation, sealed under a key that only the presented token yields. CF-20. */
  sealedResponse: string | null;
};

export type Rotation = { rotatedAt: number; successorHash: Hash; sealedResponse: string };

export type RefreshTokenStore = {
  saveRefreshToken(token: NewRefreshToken): Promise<void>;
  findRefreshToken(hash: Hash): Promise<(RefreshToken & Standing & { user: TokenUser }) | undefined>;
  /** As {@link CodeStore.redeemCode}: spends the token and writes its successors, both or neither, for one caller. */
  rotateRefreshToken(hash: Hash, rotation: Rotation, bought: NewTokens): Promise<boolean>;
  /** Moves the idle expiry of a token that its client keeps; one that was rotated meanwhile stays as it is. */
  extendRefreshToken(hash: Hash, expiresAt: number): Promise<void>;
};

export type DeviceCode = {
  hash: Hash;
  /** Eight letters of the reduced alphabet, without the dash; unique among live codes. RFC 8628 §6.1. */
  userCode: string;
  clientId: string;
  scope: string;
  /** As in an authorization code. */
  audience: string | null;
  /** Address and browser line of the device that asked, for the warning on the page. RFC 8628 §5.4. */
  requestedFrom: string | null;
  intervalSeconds: number;
  lastPolledAt: number | null;
  createdAt: number;
  expiresAt: number;
  approvedAt: number | null;
  deniedAt: number | null;
  redeemedAt: number | null;
  /** All set on approval; the context is how and when the user signed in. */
  userId: string | null;
  grantId: string | null;
  context: TokenContext | null;
};

/** Who allowed a device, and what hangs on it. */
export type DeviceApproval = { userId: string; grantId: string; context: TokenContext };

export type DeviceCodeStore = {
  /** False when the user code collides with a live one: draw again. */
  saveDeviceCode(
    code: Pick<
      DeviceCode,
      "hash" | "userCode" | "clientId" | "scope" | "audience" | "requestedFrom" | "intervalSeconds" | "createdAt" | "expiresAt"
    >,
  ): Promise<boolean>;
  findDeviceCode(hash: Hash): Promise<(DeviceCode & Standing & { user: TokenUser }) | undefined>;
  /** The undecided, unexpired code with this user code. */
  findPendingDeviceCode(userCode: string, now: number): Promise<DeviceCode | undefined>;
  /** Notes a poll: false when it came before `lastPolledAt + intervalSeconds`; then the interval has grown by `penaltySeconds`. */
  pollDeviceCode(hash: Hash, now: number, penaltySeconds: number): Promise<boolean>;
  /** Conditional on being undecided and unexpired; false when another decision won. */
  approveDeviceCode(hash: Hash, by: DeviceApproval, now: number): Promise<boolean>;
  denyDeviceCode(hash: Hash, now: number): Promise<boolean>;
  /** One conditional statement on an approved code: true for exactly one poller. */
  redeemDeviceCode(hash: Hash, now: number): Promise<boolean>;
};

/** What a user has allowed a client before, merged over time. Revoking the app removes it. */
export type ConsentStore = {
  /** Space-separated scopes, or undefined when nothing is remembered. */
  findConsent(userId: string, clientId: string): Promise<string | undefined>;
  saveConsent(consent: { userId: string; clientId: string; scope: string; now: number }): Promise<void>;
  /** Forgets the consent and revokes every grant of this user to this client. */
  revokeConnectedApp(userId: string, clientId: string, now: number): Promise<void>;
  listConnectedApps(userId: string, now: number): Promise<ConnectedApp[]>;
};

export type ConnectedApp = {
  clientId: string;
  applicationName: string;
  environment: Environment;
  type: ClientType;
  scope: string;
  allowedAt: number;
  /** When a token of it was last issued; null when none was. */
  lastUsedAt: number | null;
};

export type Session = {
  hash: Hash;
  /** Public id, for lists and revocation. */
  id: string;
  userId: string;
  /** Unix seconds of the password check. */
  authTime: number;
  userAgent: string | null;
  address: string | null;
  createdAt: number;
  lastSeenAt: number;
  /** Idle expiry, slides with use, never past `absoluteExpiresAt`. */
  expiresAt: number;
  absoluteExpiresAt: number;
  /** The user's epoch at the sign-in. A different one now means that the session has ended. */
  accessEpoch: number;
  revokedAt: number | null;
};

export type SessionStore = {
  saveSession(session: Omit<Session, "revokedAt">): Promise<void>;
  /** For a user who signs in again: writes `session`, ends the session `previousId` and moves its live grants to `session`, in one step. */
  replaceSession(previousId: string, session: Omit<Session, "revokedAt">): Promise<void>;
  findSession(hash: Hash): Promise<{ session: Session; user: User } | undefined>;
  touchSession(hash: Hash, seen: { lastSeenAt: number; expiresAt: number }): Promise<void>;
  /** Live sessions of one user, newest first. */
  listSessions(userId: string, now: number): Promise<Session[]>;
  /**
   * Ends the session and the grants that last as long as it does, in one step: those of first-party clients in a browser or on a
   * server, and those with `openid` and without `offline_access`. RT-08. False when this user has no such live session.
   */
  revokeSession(userId: string, sessionId: string, now: number): Promise<boolean>;
};

export type RefusalStore = {
  /** Keeps the true cause of a refused request. Bounded in number by the store; never throws for being full. */
  recordRefusal(refusal: Refusal): Promise<void>;
};
