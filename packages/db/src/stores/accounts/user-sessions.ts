import type { Also } from "@gatehouse/accounts";
import { and, eq, gt, isNull, lt, ne, or, type SQL } from "drizzle-orm";
import type { Handle, WriteQuery } from "../../query/handle.ts";
import { endsWithSession, isFirstParty } from "../auth/grants.ts";
import { accountRecordWrites } from "./also.ts";
import { endInFlight } from "./ends.ts";
import { logoutNoticesOf } from "./logout-notices.ts";

/** The public ids that {@link endSessions} returned. */
const idsOf = (rows: unknown[][] | undefined): string[] => (rows ?? []).map(([id]) => String(id));

function endSessions({ db, tables: { sessions } }: Handle, condition: SQL | undefined, now: number): WriteQuery {
  return db
    .update(sessions)
    .set({ revokedAt: now })
    .where(and(isNull(sessions.revokedAt), gt(sessions.expiresAt, now), condition))
    .returning({ id: sessions.id });
}

function endGrants({ db, tables: { grants } }: Handle, condition: SQL | undefined, reason: string, now: number): WriteQuery {
  return db
    .update(grants)
    .set({ revokedAt: now, revokedReason: reason })
    .where(and(isNull(grants.revokedAt), condition));
}

/**
 * Writes that mark a user's sessions and grants from earlier epochs as ended, so that lists are right. The first one returns the ids of the
 * sessions. They match nothing unless the epoch was raised.
 */
export function endEarlierEpochs(handle: Handle, userId: string, reason: string, now: number): [WriteQuery, WriteQuery] {
  const { db, tables } = handle;
  const { users, sessions, grants } = tables;
  const epoch = db.select({ epoch: users.accessEpoch }).from(users).where(eq(users.id, userId));
  return [
    endSessions(handle, and(eq(sessions.userId, userId), lt(sessions.accessEpoch, epoch)), now),
    endGrants(handle, and(eq(grants.userId, userId), lt(grants.accessEpoch, epoch)), reason, now),
  ];
}

/**
 * `keep`: the public id of a session that stays. `apps`: also deletes the user's consents and, where a session stays, ends the access of
 * third-party applications.
 */
export type SignOutScope = { userId: string; keep?: string | undefined; apps: boolean };

/**
 * Ends the user's sessions and, in the same transaction, their grants. If no session is kept, that is every grant, offline access included
 * (CO-62), and unfinished sign-ins. If one is kept, it is every grant of first-party clients and the grants that end with the ended sessions
 * (RT-08); with `apps`, every grant. What is being written at that moment ends in each case. Returns the public ids of the ended sessions.
 */
export async function signOutEverywhere(
  handle: Handle,
  { userId, keep, apps }: SignOutScope,
  now: number,
  also: Also = {},
): Promise<string[]> {
  const { db, tables } = handle;
  const { sessions, grants, consents } = tables;
  const others = (column: typeof sessions.id | typeof grants.sessionId) => (keep === undefined ? undefined : ne(column, keep));
  const some = or(isFirstParty(handle), and(endsWithSession(handle), others(grants.sessionId)));
  const [ended] = await handle.transaction([
    endSessions(handle, and(eq(sessions.userId, userId), others(sessions.id)), now),
    endGrants(handle, and(eq(grants.userId, userId), apps || keep === undefined ? undefined : some), "signed out everywhere", now),
    ...(apps ? [db.delete(consents).where(eq(consents.userId, userId))] : []),
    ...endInFlight(handle, userId, keep),
    logoutNoticesOf(handle, userId, now),
    ...accountRecordWrites(handle, also),
  ]);
  return idsOf(ended);
}
