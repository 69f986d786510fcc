import { afterSession, closeSession } from "@gatehouse/auth";
import { revokeUserSessions } from "@gatehouse/db";
import type { ApiDeps } from "../deps.ts";
import { DomainError } from "../domain-error.ts";
import { getUser } from "./users.ts";

/** A user's live sessions, newest first; `currentId` marks the one that asks. */
export async function listSessions(userId: string, currentId: string | null, deps: Pick<ApiDeps, "store" | "now">) {
  const sessions = await deps.store.listSessions(userId, deps.now());
  return sessions.map(({ id, userAgent, address, createdAt, lastSeenAt, expiresAt }) => ({
    id,
    userAgent,
    address,
    createdAt,
    lastSeenAt,
    expiresAt,
    current: id === currentId,
  }));
}

/** Ends one session of the user. Throws `not_found` when the user has no such live session. */
export async function revokeSession(
  { userId, sessionId }: { userId: string; sessionId: string },
  deps: Pick<ApiDeps, "store" | "now">,
): Promise<void> {
  const ended = await closeSession(userId, sessionId, deps);
  if (!ended) throw new DomainError("not_found", "There is no such session, or it has ended already.");
}

/** Ends all sessions of the user; says how many there were. */
export async function revokeAllSessions(userId: string, deps: Pick<ApiDeps, "handle" | "store" | "now">): Promise<{ revoked: number }> {
  await getUser(userId, deps);
  return { revoked: await endSessionsOf(userId, deps) };
}

/** Ends every live session of a user, with all that follows; says how many. */
export async function endSessionsOf(userId: string, deps: Pick<ApiDeps, "handle" | "store" | "now">): Promise<number> {
  const ended = await revokeUserSessions(deps.handle, userId, deps.now());
  for (const sessionId of ended) await afterSession(sessionId, deps);
  return ended.length;
}
