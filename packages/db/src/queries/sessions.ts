import type { Hash, Session, User } from "@gatehouse/auth";
import { and, desc, eq, gt, isNull, sql } from "drizzle-orm";
import { everyColumn, type Handle, prepared } from "../handle.ts";

const INSERT = ({ db, tables: { sessions } }: Handle) => db.insert(sessions).values(everyColumn(sessions));

export async function saveSession(handle: Handle, session: Omit<Session, "revokedAt">): Promise<void> {
  await prepared(handle, "save_session", INSERT).execute({ ...session, revokedAt: null });
}

const SELECT = ({ db, tables: { sessions, users } }: Handle) =>
  db
    .select({
      session: sessions,
      user: { id: users.id, email: users.email, name: users.name, role: users.role, disabledAt: users.disabledAt },
    })
    .from(sessions)
    .innerJoin(users, eq(users.id, sessions.userId))
    .where(eq(sessions.hash, sql.placeholder("hash")));

/** The session in whatever state it is, with its user. */
export async function findSession(handle: Handle, hash: Hash): Promise<{ session: Session; user: User } | undefined> {
  const [row] = await prepared(handle, "find_session", SELECT).execute({ hash });
  return row;
}

/** Slides the idle expiry. Never forward past the absolute one, never back, never of a revoked session. */
export async function touchSession(
  { db, tables: { sessions } }: Handle,
  hash: Hash,
  { lastSeenAt, expiresAt }: { lastSeenAt: number; expiresAt: number },
): Promise<void> {
  const until = sql`case when ${sessions.absoluteExpiresAt} < ${expiresAt} then ${sessions.absoluteExpiresAt} else ${expiresAt} end`;
  await db
    .update(sessions)
    .set({ lastSeenAt, expiresAt: until })
    .where(
      and(
        eq(sessions.hash, hash),
        isNull(sessions.revokedAt),
        gt(sessions.expiresAt, lastSeenAt),
        sql`${sessions.lastSeenAt} < ${lastSeenAt}`,
      ),
    );
}

type Sessions = Handle["tables"]["sessions"];
const live = (sessions: Sessions, now: number) =>
  and(isNull(sessions.revokedAt), gt(sessions.expiresAt, now), gt(sessions.absoluteExpiresAt, now));

export async function listSessions({ db, tables: { sessions } }: Handle, userId: string, now: number): Promise<Session[]> {
  return db
    .select()
    .from(sessions)
    .where(and(eq(sessions.userId, userId), live(sessions, now)))
    .orderBy(desc(sessions.createdAt), desc(sessions.id));
}

/** False when this user has no such live session. */
export async function revokeSession({ db, tables: { sessions } }: Handle, userId: string, id: string, now: number): Promise<boolean> {
  const revoked = await db
    .update(sessions)
    .set({ revokedAt: now })
    .where(and(eq(sessions.userId, userId), eq(sessions.id, id), live(sessions, now)))
    .returning({ id: sessions.id });
  return revoked.length === 1;
}
