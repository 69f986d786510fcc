import { endSessionById } from "@gatehouse/auth";
import { type SignOutScope, signOutEverywhere } from "@gatehouse/db/stores/accounts/user-sessions";
import { findSessionIdBySid, listNewestSessions } from "@gatehouse/db/stores/auth/sessions";
import { addressFor } from "../deliveries/detail/rights.ts";
import type { OperationDeps } from "../deps.ts";
import { DomainError } from "../domain-error.ts";
import { MAX_LISTED_SESSIONS } from "../lists/lists.ts";
import type { Actor } from "../permissions.ts";
import { getUser } from "../users/users.ts";

/**
 * A user's newest live sessions, at most `MAX_LISTED_SESSIONS`. `calledAs`: the caller's session, by its public id or
 * by the `sid` that the caller's token has.
 */
export async function listSessions(
  userId: string,
  calledAs: string | null,
  { reads, now }: Pick<OperationDeps, "reads" | "now">,
) {
  const [sessions, currentId] = await Promise.all([
    listNewestSessions(reads, userId, now(), MAX_LISTED_SESSIONS),
    calledAs === null ? null : findSessionIdBySid(reads, userId, calledAs),
  ]);
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

/** The same for somebody who views another user's sessions: only admins see whole addresses. CO-02. */
export async function listUserSessions(
  userId: string,
  calledAs: string | null,
  viewer: Actor,
  deps: Pick<OperationDeps, "reads" | "now">,
) {
  const sessions = await listSessions(userId, calledAs, deps);
  return sessions.map((session) => ({ ...session, address: addressFor(viewer, session.address) }));
}

/** Ends one session of the user. Throws `not_found` when the user has no such live session. */
export async function revokeSession(
  { userId, sessionId }: { userId: string; sessionId: string },
  deps: Pick<OperationDeps, "store" | "now">,
): Promise<void> {
  const ended = await endSessionById(userId, sessionId, deps);
  if (!ended) throw noSuchSession();
}

export const noSuchSession = () => new DomainError("not_found", "There is no such session, or it has already ended.");

/**
 * Signs a user out everywhere: ends all sessions except `keep`, and every token of first-party clients; with `apps`, or
 * if no session is kept, also the access of all other applications. Returns the number of sessions that ended.
 */
export async function revokeAllSessions(
  everywhere: SignOutScope,
  deps: Pick<OperationDeps, "db" | "store" | "now">,
): Promise<{ revoked: number }> {
  await getUser(everywhere.userId, deps);
  const ended = await signOutEverywhere(deps.db, everywhere, deps.now());
  return { revoked: ended.length };
}
