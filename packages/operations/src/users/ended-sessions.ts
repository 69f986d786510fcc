import type { OperationDeps } from "../deps.ts";

/** Notifies the clients with a back-channel logout URI that these sessions have ended. OpenID Connect Back-Channel Logout. */
export async function tellOfEndedSessions(ended: readonly string[], deps: Pick<OperationDeps, "store" | "now">): Promise<void> {
  for (const sessionId of ended) await deps.store.queueLogoutNotices(sessionId, deps.now());
}
