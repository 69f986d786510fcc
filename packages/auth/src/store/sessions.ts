import type { Acr } from "@gatehouse/guard";
import type { Hash } from "../crypto/secret.ts";
import type { User } from "./users.ts";

/** Every {@link SignInMethod}. */
export const SIGN_IN_METHODS = ["password", "passkey", "email_code", "upstream", "sign_up", "invitation"] as const;
/** The first factor of a session. */
export type SignInMethod = (typeof SIGN_IN_METHODS)[number];

/** The provider that a session came from. `idToken` is sealed, for its sign-out; null if that needs none. */
export type SessionUpstream = { provider: string; idToken: string | null };

/** A browser session of a signed-in user. */
export type Session = {
  hash: Hash;
  /** Public id, for lists and revocation. */
  id: string;
  userId: string;
  /** Unix seconds of the last proof of a first factor. */
  authTime: number;
  /** The level that the sign-in reached. */
  acr: Acr;
  /** How, RFC 8176. */
  amr: string[];
  method: SignInMethod;
  /** Unix seconds of the last proof of a second factor. */
  secondAt: number | null;
  /** Whether the browser keeps the cookie after it is closed. */
  persistent: boolean;
  upstream: SessionUpstream | null;
  userAgent: string | null;
  address: string | null;
  createdAt: number;
  lastSeenAt: number;
  /** Idle expiry: extended by use, never past `absoluteExpiresAt`. */
  expiresAt: number;
  absoluteExpiresAt: number;
  /** The user's access epoch at sign-in. When the two differ, the session has ended. */
  accessEpoch: number;
  revokedAt: number | null;
};

/** A session to write. */
export type NewSession = Omit<Session, "revokedAt">;

/** What a later proof of the user changes in a session. */
export type SessionRise = Partial<Pick<Session, "authTime" | "acr" | "amr" | "secondAt">>;

export type SessionStore = {
  saveSession(session: NewSession): Promise<void>;
  /** When a user signs in again: writes `session`, ends `previousId` and moves its grants to `session`, in one step. */
  replaceSession(previousId: string, session: NewSession): Promise<void>;
  /**
   * Replaces the hash of a session that is not revoked, and changes what else is given. False when there is none. One
   * statement.
   */
  rotateSession(hash: Hash, change: { hash: Hash } & SessionRise): Promise<boolean>;
  findSession(hash: Hash): Promise<{ session: Session; user: User } | undefined>;
  touchSession(hash: Hash, seen: { lastSeenAt: number; expiresAt: number }): Promise<void>;
  /** Live sessions of one user, newest first. */
  listSessions(userId: string, now: number): Promise<Session[]>;
  /**
   * Ends a session and the grants that end with it, in one step: those of first-party clients in a browser or on a
   * server, and those with `openid` but without `offline_access`. RT-08. Queues a logout notice for each client that
   * has a grant of the session and a logout URI, with the `sid` that the client was told. False when the user has no
   * such live session.
   */
  revokeSession(userId: string, sessionId: string, now: number): Promise<boolean>;
  /** Was this client told `sid` for a session that is, or was replaced by, the session with this public id? */
  isSidOfSession(told: { sessionId: string; clientId: string; sid: string }): Promise<boolean>;
};

/** Tells a client that a session of one of its users has ended. OpenID Connect Back-Channel Logout. */
export type LogoutNotice = { clientId: string; userId: string; sessionId: string };
