import type { Grant } from "@gatehouse/auth";
import { and, eq, inArray, isNull, or, type SQL, sql } from "drizzle-orm";
import type { Db, ReadDb } from "../../query/db.ts";
import { placeholders, prepared, preparedWrite, rowInsert } from "../../query/prepared.ts";

const INSERT = (db: Db) => {
  const { grants } = db.tables;
  return db.insert(grants).values(placeholders(grants));
};

/** Changes nothing, but waits for a transaction that ends the session, and then matches no row. */
const WHILE_LIVE = (db: Db) => {
  const { sessions } = db.tables;
  return db
    .update(sessions)
    .set({ lastSeenAt: sql`${sessions.lastSeenAt}` })
    .where(and(eq(sessions.id, sql.placeholder("id")), isNull(sessions.revokedAt)))
    .returning({ id: sessions.id });
};

/** With `liveSession`, writes nothing and returns false if that session has ended. */
export async function saveGrant(db: Db, grant: Omit<Grant, "revokedAt">, liveSession?: string): Promise<boolean> {
  const row = { ...grant, sid: grant.sessionId, revokedAt: null, revokedReason: null };
  if (liveSession !== undefined) {
    const live = preparedWrite(db, "find_live_session", WHILE_LIVE, { id: liveSession });
    return db.spend(live, [rowInsert(db, db.tables.grants, row)]);
  }
  await prepared(db, "save_grant", INSERT).execute(row);
  return true;
}

/** Revokes the grant with every code and token under it. The first reason stays. */
export async function revokeGrant(db: Db, id: string, reason: string, now: number): Promise<void> {
  const { grants } = db.tables;
  await db
    .update(grants)
    .set({ revokedAt: now, revokedReason: reason })
    .where(and(eq(grants.id, id), isNull(grants.revokedAt)));
}

/** Revokes every grant of a user, for all clients. */
export async function revokeUserGrants(db: Db, userId: string, reason: string, now: number): Promise<void> {
  const { grants } = db.tables;
  await db
    .update(grants)
    .set({ revokedAt: now, revokedReason: reason })
    .where(and(eq(grants.userId, userId), isNull(grants.revokedAt)));
}

/** Matches grants of first-party clients; with `inBrowser`, only those of type `web` or `browser`. */
export function isFirstParty(db: ReadDb, { inBrowser = false } = {}): SQL {
  const { grants, clients } = db.tables;
  const kinds = inBrowser ? inArray(clients.type, ["web", "browser"]) : undefined;
  const own = db
    .select({ id: clients.id })
    .from(clients)
    .where(and(eq(clients.firstParty, true), kinds));
  return inArray(grants.clientId, own);
}

/**
 * Matches grants that end with the session they were made in: those of first-party clients of the type `web` or
 * `browser`, and those with `openid` and without `offline_access`. RT-08.
 */
export function endsWithSession(db: ReadDb): SQL | undefined {
  const names = sql`' ' || ${db.tables.grants.scope} || ' '`;
  const forThisSignIn = and(sql`${names} like '% openid %'`, sql`${names} not like '% offline_access %'`);
  return or(isFirstParty(db, { inBrowser: true }), forThisSignIn);
}
