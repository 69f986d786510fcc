import type { Ends } from "@gatehouse/accounts";
import { and, eq, gt, isNotNull, isNull, lt, notInArray, sql } from "drizzle-orm";
import type { PgColumn } from "drizzle-orm/pg-core";
import type { Handle, WriteQuery } from "../../query/handle.ts";
import { endsWithSession } from "../auth/grants.ts";
import { apiTokensEnd } from "./api-tokens.ts";
import { invitationsEnd } from "./invitations.ts";

/** Whose access a change of an account ends. `sessionId`: the public id of the session that the change was made in. */
export type Revocation = { userId: string; sessionId?: string | undefined; reason: string };

/**
 * The writes that end what a change of an account ends, for its transaction. Raising an epoch also ends what is being written at that moment;
 * what stays is moved to the new epoch.
 */
export function revocationWrites(
  handle: Handle,
  { sessions, grants, signIns }: Ends,
  { userId, sessionId, reason }: Revocation,
  now: number,
): WriteQuery[] {
  const raises = { access: sessions !== "none" || grants, signIn: signIns };
  const writes: WriteQuery[] = raises.access || raises.signIn ? [raiseEpochs(handle, userId, raises)] : [];
  if (signIns) writes.push(forgetBrowsers(handle, userId));
  if (!raises.access) return writes;
  const kept = sessions === "none" ? "all" : sessions === "others" ? sessionId : undefined;
  if (kept !== undefined) writes.push(keepSessions(handle, userId, kept));
  writes.push(endOldSessions(handle, userId, now));
  if (!grants) writes.push(endGrantsOfEndedSessions(handle, { userId, reason }, now), keepGrants(handle, userId));
  writes.push(endOldGrants(handle, { userId, reason }, now));
  if (grants) writes.push(...endDelegations(handle, userId, now));
  return writes;
}

/**
 * The writes that end what keeps working after every session has ended: the user's API tokens, and the pending invitations to a role that they
 * sent. An intruder may have made them to get back in. N49.
 */
export function endDelegations(handle: Handle, userId: string, now: number): WriteQuery[] {
  return [apiTokensEnd(handle, userId, now), invitationsEnd(handle, userId, now)];
}

/**
 * The writes that end the sessions and grants that are being written at this moment, and without a session to keep unfinished sign-ins, remembered and
 * known browsers, and mailed links as well. The session `kept`, by its public id, and the grants that are left move to the new epoch.
 */
export function endInFlight(handle: Handle, userId: string, kept: string | undefined): WriteQuery[] {
  if (kept === undefined) return [raiseEpochs(handle, userId, { access: true, signIn: true }), forgetBrowsers(handle, userId)];
  return [raiseEpochs(handle, userId, { access: true, signIn: false }), keepSessions(handle, userId, kept), keepGrants(handle, userId)];
}

function raiseEpochs(
  { db, tables: { users } }: Handle,
  userId: string,
  { access, signIn }: { access: boolean; signIn: boolean },
): WriteQuery {
  return db
    .update(users)
    .set({
      ...(access && { accessEpoch: sql`${users.accessEpoch} + 1` }),
      ...(signIn && { signInEpoch: sql`${users.signInEpoch} + 1` }),
    })
    .where(eq(users.id, userId));
}

const epochOf = ({ db, tables: { users } }: Handle, userId: string) =>
  db.select({ epoch: users.accessEpoch }).from(users).where(eq(users.id, userId));

/** Matches the rows of the epoch before the current one: only these were live. */
const fromLastEpoch = (handle: Handle, column: PgColumn, userId: string) => sql`${column} + 1 = (${epochOf(handle, userId)})`;

function keepSessions(handle: Handle, userId: string, kept: string): WriteQuery {
  const { sessions } = handle.tables;
  const which = kept === "all" ? undefined : eq(sessions.id, kept);
  return handle.db
    .update(sessions)
    .set({ accessEpoch: sql`${sessions.accessEpoch} + 1` })
    .where(and(eq(sessions.userId, userId), which, isNull(sessions.revokedAt), fromLastEpoch(handle, sessions.accessEpoch, userId)));
}

function endOldSessions(handle: Handle, userId: string, now: number): WriteQuery {
  const { sessions } = handle.tables;
  return handle.db
    .update(sessions)
    .set({ revokedAt: now })
    .where(
      and(
        eq(sessions.userId, userId),
        isNull(sessions.revokedAt),
        gt(sessions.expiresAt, now),
        lt(sessions.accessEpoch, epochOf(handle, userId)),
      ),
    );
}

/** As a sign-out in each of those sessions does. RT-08. */
function endGrantsOfEndedSessions(handle: Handle, { userId, reason }: { userId: string; reason: string }, now: number): WriteQuery {
  const { db, tables } = handle;
  const { grants, sessions } = tables;
  const live = db
    .select({ id: sessions.id })
    .from(sessions)
    .where(and(eq(sessions.userId, userId), isNull(sessions.revokedAt), eq(sessions.accessEpoch, epochOf(handle, userId))));
  return db
    .update(grants)
    .set({ revokedAt: now, revokedReason: reason })
    .where(
      and(
        eq(grants.userId, userId),
        isNull(grants.revokedAt),
        endsWithSession(handle),
        isNotNull(grants.sessionId),
        notInArray(grants.sessionId, live),
      ),
    );
}

function keepGrants(handle: Handle, userId: string): WriteQuery {
  const { grants } = handle.tables;
  return handle.db
    .update(grants)
    .set({ accessEpoch: sql`${grants.accessEpoch} + 1` })
    .where(and(eq(grants.userId, userId), isNull(grants.revokedAt), fromLastEpoch(handle, grants.accessEpoch, userId)));
}

function endOldGrants(handle: Handle, { userId, reason }: { userId: string; reason: string }, now: number): WriteQuery {
  const { grants } = handle.tables;
  return handle.db
    .update(grants)
    .set({ revokedAt: now, revokedReason: reason })
    .where(and(eq(grants.userId, userId), isNull(grants.revokedAt), lt(grants.accessEpoch, epochOf(handle, userId))));
}

function forgetBrowsers({ db, tables: { rememberedBrowsers } }: Handle, userId: string): WriteQuery {
  return db.delete(rememberedBrowsers).where(eq(rememberedBrowsers.userId, userId));
}
