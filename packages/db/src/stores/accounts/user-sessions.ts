import type { AccountRecord } from "@gatehouse/accounts";
import { and, eq, gt, isNull, lt, ne, or, type SQL } from "drizzle-orm";
import type { Db, WriteQuery } from "../../query/db.ts";
import { endsWithSession, isFirstParty } from "../auth/grants.ts";
import { accountRecordWrites } from "./account-records.ts";
import { logoutNoticesOf } from "./logout-notices.ts";
import { endInFlight } from "./revocation.ts";

/** The public ids that {@link endSessions} returned. */
const idsOf = (rows: unknown[][] | undefined): string[] => (rows ?? []).map(([id]) => String(id));

function endSessions(db: Db, condition: SQL | undefined, now: number): WriteQuery {
  const { sessions } = db.tables;
  return db
    .update(sessions)
    .set({ revokedAt: now })
    .where(and(isNull(sessions.revokedAt), gt(sessions.expiresAt, now), condition))
    .returning({ id: sessions.id });
}

function endGrants(db: Db, condition: SQL | undefined, reason: string, now: number): WriteQuery {
  const { grants } = db.tables;
  return db
    .update(grants)
    .set({ revokedAt: now, revokedReason: reason })
    .where(and(isNull(grants.revokedAt), condition));
}

/**
 * Writes that mark a user's sessions and grants from earlier epochs as ended, so that lists are right. The first one
 * returns the ids of the sessions. They match nothing unless the epoch was raised.
 */
export function endEarlierEpochs(db: Db, userId: string, reason: string, now: number): [WriteQuery, WriteQuery] {
  const { users, sessions, grants } = db.tables;
  const epoch = db.select({ epoch: users.accessEpoch }).from(users).where(eq(users.id, userId));
  return [
    endSessions(db, and(eq(sessions.userId, userId), lt(sessions.accessEpoch, epoch)), now),
    endGrants(db, and(eq(grants.userId, userId), lt(grants.accessEpoch, epoch)), reason, now),
  ];
}

/**
 * `keep`: the public id of a session that stays. `apps`: also deletes the user's consents and, where a session stays,
 * ends the access of third-party applications.
 */
export type SignOutScope = { userId: string; keep?: string | undefined; apps: boolean };

/**
 * Ends the user's sessions and, in the same transaction, their grants. If no session is kept, that is every grant,
 * offline access included (CO-62), and unfinished sign-ins. If one is kept, it is every grant of first-party clients
 * and the grants that end with the ended sessions (RT-08); with `apps`, every grant. What is being written at that
 * moment ends in each case. Returns the public ids of the ended sessions.
 */
export async function signOutEverywhere(
  db: Db,
  { userId, keep, apps }: SignOutScope,
  now: number,
  also: AccountRecord = {},
): Promise<string[]> {
  const { sessions, grants, consents } = db.tables;
  const others = (column: typeof sessions.id | typeof grants.sessionId) =>
    keep === undefined ? undefined : ne(column, keep);
  const some = or(isFirstParty(db), and(endsWithSession(db), others(grants.sessionId)));
  const [ended] = await db.transaction([
    endSessions(db, and(eq(sessions.userId, userId), others(sessions.id)), now),
    endGrants(
      db,
      and(eq(grants.userId, userId), apps || keep === undefined ? undefined : some),
      "signed out everywhere",
      now,
    ),
    ...(apps ? [db.delete(consents).where(eq(consents.userId, userId))] : []),
    ...endInFlight(db, userId, keep),
    logoutNoticesOf(db, userId, now),
    ...accountRecordWrites(db, also),
  ]);
  return idsOf(ended);
}
