/** Tells a client that a session of one of its users has ended. OpenID Connect Back-Channel Logout. */
export type LogoutNotice = { clientId: string; userId: string; sessionId: string };
