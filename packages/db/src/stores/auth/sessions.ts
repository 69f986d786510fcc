import type { AccountRecord, IdentityConnection } from "@gatehouse/accounts";
import type { Hash, NewSession, Session, SessionRise, User } from "@gatehouse/auth";
import { and, desc, eq, gt, isNotNull, isNull, sql } from "drizzle-orm";
import { isUniqueViolation } from "../../errors/unique-violation.ts";
import type { Db, ReadDb, Write, WriteQuery } from "../../query/db.ts";
import { placeholders, prepared, rowInsert } from "../../query/prepared.ts";
import { scanPage } from "../../query/scan.ts";
import { lockAccount } from "../accounts/account-change.ts";
import { accountRecordWrites } from "../accounts/account-records.ts";
import { findIdentity } from "../accounts/identities.ts";
import { logoutNotices } from "../accounts/logout-notices.ts";
import { endsWithSession } from "./grants.ts";

const INSERT = (db: Db) => {
  const { sessions } = db.tables;
  return db.insert(sessions).values(placeholders(sessions));
};

export async function saveSession(db: Db, session: NewSession): Promise<void> {
  await prepared(db, "save_session", INSERT).execute({ ...session, revokedAt: null });
}

const SELECT = (db: Db) => {
  const { sessions, users } = db.tables;
  return db
    .select({
      session: sessions,
      user: {
        id: users.id,
        email: users.email,
        name: users.name,
        role: users.role,
        disabledAt: users.disabledAt,
        accessEpoch: users.accessEpoch,
        signInEpoch: users.signInEpoch,
        emailVerifiedAt: users.emailVerifiedAt,
        locale: users.locale,
      },
    })
    .from(sessions)
    .innerJoin(users, eq(users.id, sessions.userId))
    .where(eq(sessions.hash, sql.placeholder("hash")));
};

/** The session in any state, with its user. */
export async function findSession(db: Db, hash: Hash): Promise<{ session: Session; user: User } | undefined> {
  const [row] = await prepared(db, "find_session", SELECT).execute({ hash });
  return row;
}

/** Extends the idle expiry: never past the absolute one, never back, and not of a revoked session. */
export async function touchSession(
  db: Db,
  hash: Hash,
  { lastSeenAt, expiresAt }: { lastSeenAt: number; expiresAt: number },
): Promise<void> {
  const { sessions } = db.tables;
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

/** Of racing callers with the same hash, one replaces it. */
export async function rotateSession(db: Db, hash: Hash, change: { hash: Hash } & SessionRise): Promise<boolean> {
  const { sessions } = db.tables;
  const rotated = await db
    .update(sessions)
    .set(change)
    .where(and(eq(sessions.hash, hash), isNull(sessions.revokedAt)))
    .returning({ id: sessions.id });
  return rotated.length === 1;
}

type Sessions = Db["tables"]["sessions"];
const live = (sessions: Sessions, now: number) =>
  and(isNull(sessions.revokedAt), gt(sessions.expiresAt, now), gt(sessions.absoluteExpiresAt, now));

export async function listSessions(db: ReadDb, userId: string, now: number): Promise<Session[]> {
  const { sessions, users } = db.tables;
  const epoch = db.select({ epoch: users.accessEpoch }).from(users).where(eq(users.id, userId));
  return db
    .select()
    .from(sessions)
    .where(and(eq(sessions.userId, userId), live(sessions, now), eq(sessions.accessEpoch, epoch)))
    .orderBy(desc(sessions.createdAt), desc(sessions.id));
}

/** For the console: the newest `limit` live sessions of a user. */
export async function listNewestSessions(db: ReadDb, userId: string, now: number, limit: number): Promise<Session[]> {
  const { sessions, users } = db.tables;
  const epoch = db.select({ epoch: users.accessEpoch }).from(users).where(eq(users.id, userId));
  const equal = { column: sessions.userId, value: userId };
  const index = { table: sessions, equal, at: sessions.createdAt, id: sessions.id };
  const { rows } = await scanPage(
    db,
    { index, residual: and(live(sessions, now), eq(sessions.accessEpoch, epoch)), position: undefined, limit },
    (condition, order) =>
      db
        .select()
        .from(sessions)
        .where(condition)
        .orderBy(...order)
        .limit(limit),
  );
  return rows;
}

/**
 * Ends the session and, in the same transaction, the grants that end with it, tells its clients, and makes `also`.
 * False if this user has no such live session.
 */
export function revokeSession(
  db: Db,
  userId: string,
  id: string,
  now: number,
  also: AccountRecord = {},
): Promise<boolean> {
  const { sessions, grants } = db.tables;
  const end = db
    .update(sessions)
    .set({ revokedAt: now })
    .where(and(eq(sessions.userId, userId), eq(sessions.id, id), live(sessions, now)))
    .returning({ id: sessions.id });
  const endGrants = db
    .update(grants)
    .set({ revokedAt: now, revokedReason: "signed out" })
    .where(and(eq(grants.sessionId, id), isNull(grants.revokedAt), endsWithSession(db)));
  return db.guarded(end, [endGrants, logoutNotices(db, eq(sessions.id, id), now), ...accountRecordWrites(db, also)]);
}

/**
 * Writes a session and `also`, in one transaction; with `previousId`, as {@link replaceSession} does. The same
 * transaction connects an identity, unless it belongs to anybody already or the account changed since its epoch was
 * read: then the session is written without it.
 */
export async function saveSignIn(
  db: Db,
  session: NewSession,
  previousId: string | undefined,
  also: AccountRecord,
  connection?: IdentityConnection,
): Promise<void> {
  if (connection && (await saveConnecting(db, { session, previousId, also }, connection))) return;
  await db.transaction([
    ...sessionWrites(db, session, previousId),
    lastSignInWrite(db, session),
    ...accountRecordWrites(db, also),
  ]);
}

function lastSignInWrite(db: Db, { userId, createdAt }: NewSession): WriteQuery {
  const { users } = db.tables;
  return db.update(users).set({ lastSignedInAt: createdAt }).where(eq(users.id, userId));
}

type SignIn = { session: NewSession; previousId: string | undefined; also: AccountRecord };

/** False, without effect, if the identity cannot be connected. UP-08, WE-03. */
async function saveConnecting(
  db: Db,
  { session, previousId, also }: SignIn,
  { identity, signInEpoch, also: connected }: IdentityConnection,
): Promise<boolean> {
  const writes = [
    db.insert(db.tables.identities).values(identity),
    ...sessionWrites(db, session, previousId),
    lastSignInWrite(db, session),
    ...accountRecordWrites(db, also),
    ...accountRecordWrites(db, connected),
  ];
  try {
    return await db.guarded(lockAccount(db, identity.userId, signInEpoch), writes);
  } catch (thrown) {
    if (isUniqueViolation(thrown) && (await findIdentity(db, identity))) return false;
    throw thrown;
  }
}

/** Ends the session `previousId`, writes `session`, moves the grants to it and makes `also`, in one transaction. */
export async function replaceSession(
  db: Db,
  previousId: string,
  session: NewSession,
  also: AccountRecord = {},
): Promise<void> {
  await db.transaction([...sessionWrites(db, session, previousId), ...accountRecordWrites(db, also)]);
}

/** A new session; the grants of the session that it replaces move to it. */
function sessionWrites(db: Db, session: NewSession, previousId: string | undefined): (Write | WriteQuery)[] {
  const { sessions, grants } = db.tables;
  const insert = rowInsert(db, sessions, { ...session, revokedAt: null });
  if (previousId === undefined) return [insert];
  return [
    db
      .update(sessions)
      .set({ revokedAt: session.createdAt })
      .where(and(eq(sessions.id, previousId), isNull(sessions.revokedAt))),
    insert,
    // Revoked ones as well: their clients have to hear of the end of the session.
    db.update(grants).set({ sessionId: session.id }).where(eq(grants.sessionId, previousId)),
  ];
}

/** Was this client told `sid` for a session that is, or was replaced by, the session with this public id? */
export async function isSidOfSession(
  db: ReadDb,
  { sessionId, clientId, sid }: { sessionId: string; clientId: string; sid: string },
): Promise<boolean> {
  const { grants } = db.tables;
  const told = and(eq(grants.sessionId, sessionId), eq(grants.clientId, clientId), eq(grants.sid, sid));
  const found = await db.select({ id: grants.id }).from(grants).where(told).limit(1);
  return found.length > 0;
}

/**
 * The public id of the session that a client of this user was told as `sid`: another one once the user signed in again
 * in that browser.
 */
export async function findSessionIdBySid(db: ReadDb, userId: string, sid: string): Promise<string> {
  const { grants } = db.tables;
  const told = and(eq(grants.userId, userId), eq(grants.sid, sid), isNotNull(grants.sessionId));
  const [grant] = await db.select({ sessionId: grants.sessionId }).from(grants).where(told).limit(1);
  return grant?.sessionId ?? sid;
}
