import type { ApiDeps } from "../deps.ts";

/** Tells the clients that asked for it that these sessions have ended. OpenID Connect Back-Channel Logout. */
export async function tellOfEndedSessions(ended: readonly string[], deps: Pick<ApiDeps, "store" | "now">): Promise<void> {
  for (const sessionId of ended) await deps.store.queueLogoutNotices(sessionId, deps.now());
}
