import type { Hash } from "../crypto/secret.ts";
import type { User } from "./users.ts";

/** A browser session of a signed-in user. */
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
  /** Idle expiry: extended by use, never past `absoluteExpiresAt`. */
  expiresAt: number;
  absoluteExpiresAt: number;
  /** The user's access epoch at sign-in. When the two differ, the session has ended. */
  accessEpoch: number;
  revokedAt: number | null;
};

export type SessionStore = {
  saveSession(session: Omit<Session, "revokedAt">): Promise<void>;
  /** When a user signs in again: writes `session`, ends `previousId` and moves its live grants to `session`, in one step. */
  replaceSession(previousId: string, session: Omit<Session, "revokedAt">): Promise<void>;
  findSession(hash: Hash): Promise<{ session: Session; user: User } | undefined>;
  touchSession(hash: Hash, seen: { lastSeenAt: number; expiresAt: number }): Promise<void>;
  /** Live sessions of one user, newest first. */
  listSessions(userId: string, now: number): Promise<Session[]>;
  /**
   * Ends a session and the grants that end with it, in one step: those of first-party clients in a browser or on a server, and
   * those with `openid` but without `offline_access`. RT-08. False when the user has no such live session.
   */
  revokeSession(userId: string, sessionId: string, now: number): Promise<boolean>;
};
