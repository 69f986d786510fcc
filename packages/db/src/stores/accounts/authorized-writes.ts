import type { Credential, Maker } from "@gatehouse/accounts";
import { and, eq, exists, isNull, type SQL } from "drizzle-orm";
import type { Db, Write, WriteQuery } from "../../query/db.ts";

/**
 * Makes something on behalf of a user, all or none. False, without effect, if the user was demoted or disabled, or the
 * credential ended, since the request was authenticated. Every change that ends what a user made writes the user's row
 * first, so the lock on that row orders the two: the change either is seen here, or sees what was made. N49.
 */
export async function writeIfStillAuthorized(
  db: Db,
  maker: Maker | undefined,
  writes: readonly (Write | WriteQuery)[],
): Promise<boolean> {
  if (maker === undefined) {
    await db.transaction(writes);
    return true;
  }
  const { users } = db.tables;
  const lock = db.update(users).set({ id: maker.id }).where(eq(users.id, maker.id));
  const mayMake = and(
    eq(users.id, maker.id),
    eq(users.role, maker.role),
    isNull(users.disabledAt),
    isNull(users.deleteAfter),
    maker.credential && isLive(db, maker.credential),
  );
  const first = db.update(users).set({ id: maker.id }).where(mayMake).returning({ id: users.id });
  return db.guarded(first, writes, lock);
}

/** Matches the user whose credential has not ended. Its own expiry was checked when the request was authenticated. */
function isLive(db: Db, { kind, id }: Credential): SQL {
  const { users, sessions, grants, apiTokens } = db.tables;
  switch (kind) {
    case "session": {
      const ofUser = and(
        eq(sessions.id, id),
        eq(sessions.userId, users.id),
        eq(sessions.accessEpoch, users.accessEpoch),
      );
      return exists(
        db
          .select({ id: sessions.id })
          .from(sessions)
          .where(and(ofUser, isNull(sessions.revokedAt))),
      );
    }
    case "grant": {
      const ofUser = and(eq(grants.id, id), eq(grants.userId, users.id), eq(grants.accessEpoch, users.accessEpoch));
      return exists(
        db
          .select({ id: grants.id })
          .from(grants)
          .where(and(ofUser, isNull(grants.revokedAt))),
      );
    }
    case "api_token": {
      const ofUser = and(eq(apiTokens.id, id), eq(apiTokens.makerId, users.id), isNull(apiTokens.endedAt));
      return exists(db.select({ id: apiTokens.id }).from(apiTokens).where(ofUser));
    }
  }
}
