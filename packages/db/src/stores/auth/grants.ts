import type { Grant } from "@gatehouse/auth";
import { and, eq, inArray, isNull, or, type SQL, sql } from "drizzle-orm";
import type { Handle, ReadHandle } from "../../query/handle.ts";
import { placeholders, prepared, preparedWrite, rowInsert } from "../../query/prepared.ts";

const INSERT = ({ db, tables: { grants } }: Handle) => db.insert(grants).values(placeholders(grants));

/** Changes nothing, but waits for a transaction that ends the session, and then matches no row. */
const WHILE_LIVE = ({ db, tables: { sessions } }: Handle) =>
  db
    .update(sessions)
    .set({ lastSeenAt: sql`${sessions.lastSeenAt}` })
    .where(and(eq(sessions.id, sql.placeholder("id")), isNull(sessions.revokedAt)))
    .returning({ id: sessions.id });

/** With `liveSession`, writes nothing and returns false if that session has ended. */
export async function saveGrant(handle: Handle, grant: Omit<Grant, "revokedAt">, liveSession?: string): Promise<boolean> {
  const row = { ...grant, sid: grant.sessionId, revokedAt: null, revokedReason: null };
  if (liveSession !== undefined) {
    const live = preparedWrite(handle, "find_live_session", WHILE_LIVE, { id: liveSession });
    return handle.spend(live, [rowInsert(handle, handle.tables.grants, row)]);
  }
  await prepared(handle, "save_grant", INSERT).execute(row);
  return true;
}

/** Revokes the grant with every code and token under it. The first reason stays. */
export async function revokeGrant({ db, tables: { grants } }: Handle, id: string, reason: string, now: number): Promise<void> {
  await db
    .update(grants)
    .set({ revokedAt: now, revokedReason: reason })
    .where(and(eq(grants.id, id), isNull(grants.revokedAt)));
}

/** Revokes every grant of a user, for all clients. */
export async function revokeUserGrants({ db, tables: { grants } }: Handle, userId: string, reason: string, now: number): Promise<void> {
  await db
    .update(grants)
    .set({ revokedAt: now, revokedReason: reason })
    .where(and(eq(grants.userId, userId), isNull(grants.revokedAt)));
}

/** Matches grants of first-party clients; with `inBrowser`, only those of type `web` or `browser`. */
export function isFirstParty({ db, tables: { grants, clients } }: ReadHandle, { inBrowser = false } = {}): SQL {
  const kinds = inBrowser ? inArray(clients.type, ["web", "browser"]) : undefined;
  const own = db
    .select({ id: clients.id })
    .from(clients)
    .where(and(eq(clients.firstParty, true), kinds));
  return inArray(grants.clientId, own);
}

/**
 * Matches grants that end with the session they were made in: those of first-party clients of the type `web` or `browser`, and those with
 * `openid` and without `offline_access`. RT-08.
 */
export function endsWithSession(handle: ReadHandle): SQL | undefined {
  const names = sql`' ' || ${handle.tables.grants.scope} || ' '`;
  const forThisSignIn = and(sql`${names} like '% openid %'`, sql`${names} not like '% offline_access %'`);
  return or(isFirstParty(handle, { inBrowser: true }), forThisSignIn);
}
