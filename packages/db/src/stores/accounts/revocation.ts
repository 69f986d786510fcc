import type { Ends } from "@gatehouse/accounts";
import { and, eq, gt, isNotNull, isNull, lt, notInArray, sql } from "drizzle-orm";
import type { PgColumn } from "drizzle-orm/pg-core";
import type { Db, WriteQuery } from "../../query/db.ts";
import { endsWithSession } from "../auth/grants.ts";
import { apiTokensEnd } from "./api-tokens.ts";
import { invitationsEnd } from "./invitations.ts";

/** Whose access a change of an account ends. `sessionId`: the public id of the session that the change was made in. */
export type Revocation = { userId: string; sessionId?: string | undefined; reason: string };

/**
 * The writes that end what a change of an account ends, for its transaction. Raising an epoch also ends what is being
 * written at that moment; what stays is moved to the new epoch.
 */
export function revocationWrites(
  db: Db,
  { sessions, grants, signIns }: Ends,
  { userId, sessionId, reason }: Revocation,
  now: number,
): WriteQuery[] {
  const raises = { access: sessions !== "none" || grants, signIn: signIns };
  const writes: WriteQuery[] = raises.access || raises.signIn ? [raiseEpochs(db, userId, raises)] : [];
  if (signIns) writes.push(forgetBrowsers(db, userId));
  if (!raises.access) return writes;
  const kept = sessions === "none" ? "all" : sessions === "others" ? sessionId : undefined;
  if (kept !== undefined) writes.push(keepSessions(db, userId, kept));
  writes.push(endOldSessions(db, userId, now));
  if (!grants) writes.push(endGrantsOfEndedSessions(db, { userId, reason }, now), keepGrants(db, userId));
  writes.push(endOldGrants(db, { userId, reason }, now));
  if (grants) writes.push(...endDelegations(db, userId, now));
  return writes;
}

/**
 * The writes that end what keeps working after every session has ended: the user's API tokens, and the pending
 * invitations to a role that they sent. An intruder may have made them to get back in. N49.
 */
export function endDelegations(db: Db, userId: string, now: number): WriteQuery[] {
  return [apiTokensEnd(db, userId, now), invitationsEnd(db, userId, now)];
}

/**
 * The writes that end the sessions and grants that are being written at this moment, and without a session to keep
 * unfinished sign-ins, remembered and known browsers, and mailed links as well. The session `kept`, by its public id,
 * and the grants that are left move to the new epoch.
 */
export function endInFlight(db: Db, userId: string, kept: string | undefined): WriteQuery[] {
  if (kept === undefined) return [raiseEpochs(db, userId, { access: true, signIn: true }), forgetBrowsers(db, userId)];
  return [
    raiseEpochs(db, userId, { access: true, signIn: false }),
    keepSessions(db, userId, kept),
    keepGrants(db, userId),
  ];
}

function raiseEpochs(db: Db, userId: string, { access, signIn }: { access: boolean; signIn: boolean }): WriteQuery {
  const { users } = db.tables;
  return db
    .update(users)
    .set({
      ...(access && { accessEpoch: sql`${users.accessEpoch} + 1` }),
      ...(signIn && { signInEpoch: sql`${users.signInEpoch} + 1` }),
    })
    .where(eq(users.id, userId));
}

const epochOf = (db: Db, userId: string) => {
  const { users } = db.tables;
  return db.select({ epoch: users.accessEpoch }).from(users).where(eq(users.id, userId));
};

/** Matches the rows of the epoch before the current one: only these were live. */
const fromLastEpoch = (db: Db, column: PgColumn, userId: string) => sql`${column} + 1 = (${epochOf(db, userId)})`;

function keepSessions(db: Db, userId: string, kept: string): WriteQuery {
  const { sessions } = db.tables;
  const which = kept === "all" ? undefined : eq(sessions.id, kept);
  return db
    .update(sessions)
    .set({ accessEpoch: sql`${sessions.accessEpoch} + 1` })
    .where(
      and(
        eq(sessions.userId, userId),
        which,
        isNull(sessions.revokedAt),
        fromLastEpoch(db, sessions.accessEpoch, userId),
      ),
    );
}

function endOldSessions(db: Db, userId: string, now: number): WriteQuery {
  const { sessions } = db.tables;
  return db
    .update(sessions)
    .set({ revokedAt: now })
    .where(
      and(
        eq(sessions.userId, userId),
        isNull(sessions.revokedAt),
        gt(sessions.expiresAt, now),
        lt(sessions.accessEpoch, epochOf(db, userId)),
      ),
    );
}

/** As a sign-out in each of those sessions does. RT-08. */
function endGrantsOfEndedSessions(
  db: Db,
  { userId, reason }: { userId: string; reason: string },
  now: number,
): WriteQuery {
  const { grants, sessions } = db.tables;
  const live = db
    .select({ id: sessions.id })
    .from(sessions)
    .where(and(eq(sessions.userId, userId), isNull(sessions.revokedAt), eq(sessions.accessEpoch, epochOf(db, userId))));
  return db
    .update(grants)
    .set({ revokedAt: now, revokedReason: reason })
    .where(
      and(
        eq(grants.userId, userId),
        isNull(grants.revokedAt),
        endsWithSession(db),
        isNotNull(grants.sessionId),
        notInArray(grants.sessionId, live),
      ),
    );
}

function keepGrants(db: Db, userId: string): WriteQuery {
  const { grants } = db.tables;
  return db
    .update(grants)
    .set({ accessEpoch: sql`${grants.accessEpoch} + 1` })
    .where(and(eq(grants.userId, userId), isNull(grants.revokedAt), fromLastEpoch(db, grants.accessEpoch, userId)));
}

function endOldGrants(db: Db, { userId, reason }: { userId: string; reason: string }, now: number): WriteQuery {
  const { grants } = db.tables;
  return db
    .update(grants)
    .set({ revokedAt: now, revokedReason: reason })
    .where(and(eq(grants.userId, userId), isNull(grants.revokedAt), lt(grants.accessEpoch, epochOf(db, userId))));
}

function forgetBrowsers(db: Db, userId: string): WriteQuery {
  const { rememberedBrowsers } = db.tables;
  return db.delete(rememberedBrowsers).where(eq(rememberedBrowsers.userId, userId));
}
