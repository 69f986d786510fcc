/** Tells a client that a session of one of its users has ended. OpenID Connect Back-Channel Logout. */
export type LogoutNotice = { clientId: string; userId: string; sessionId: string };

export type LogoutNoticeStore = {
  /** Queues one notice for each client that has a live grant of this session and a logout URI. */
  queueLogoutNotices(sessionId: string, now: number): Promise<void>;
};
