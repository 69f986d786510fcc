/** A notice to a client that a session has ended. OpenID Connect Back-Channel Logout. */
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
  /** Queues one notice for each client that has a live grant of this session and a logout URI. */
  queueLogoutNotices(sessionId: string, now: number): Promise<void>;
  /** Claims due notices by a conditional statement, so that no two processes send the same one at once. */
  claimLogoutNotices(now: number, limit: number): Promise<LogoutNotice[]>;
  /** Records the outcome of an attempt: done, or when to try again. */
  recordLogoutAttempt(id: string, outcome: { doneAt: number } | { nextAttemptAt: number; lastError: string }): Promise<void>;
};
