/**
 * What one user allowed one client, once. Every code, access token and refresh token belongs to a grant: revoking the
 * grant revokes them all, including those being written at that moment.
 */
export type Grant = {
  id: string;
  clientId: string;
  userId: string;
  scope: string;
  createdAt: number;
  /** Public id of the session in which the user allowed it; null for a device. */
  sessionId: string | null;
  /** The user's access epoch when the grant was made. When the two differ, the grant has ended. */
  accessEpoch: number;
  revokedAt: number | null;
};

/**
 * The status of the grant, the client and the user behind a credential. Read together with it, so every revocation acts
 * at once.
 */
export type GrantStatus = {
  /** null for tokens that a client holds for itself. Not null when the grant is of an earlier epoch of its user. */
  grantRevokedAt: number | null;
  clientEnabled: boolean;
  userDisabledAt: number | null;
};

export type GrantStore = {
  /**
   * Writes the grant. With `liveSession` (a public id), only if that session is live, in one statement; false when it
   * is not.
   */
  saveGrant(grant: Omit<Grant, "revokedAt">, liveSession?: string): Promise<boolean>;
  /** Idempotent. `reason` is for the log, for example "code replayed". */
  revokeGrant(grantId: string, reason: string, now: number): Promise<void>;
};
