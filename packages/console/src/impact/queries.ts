import type { ReadDb } from "@gatehouse/db/query/db";
import { notInTestRun } from "@gatehouse/db/stores/auth/test-runs";
import { and, eq, inArray, isNull } from "drizzle-orm";

/** How many of a client's grants are examined at most. */
export const EXAMINED_GRANTS = 2_000;

/**
 * The live grants among the first 2,000 of a client: not revoked, of no test run, and of a user who is neither disabled
 * nor had all access ended since. `more`: the client has others, which were not examined. CO-37.
 */
export async function listLiveGrants(
  db: ReadDb,
  clientId: string,
): Promise<{ grants: { userId: string; scope: string }[]; more: boolean }> {
  const { grants, users } = db.tables;
  const columns = {
    userId: grants.userId,
    scope: grants.scope,
    accessEpoch: grants.accessEpoch,
    revokedAt: grants.revokedAt,
  };
  const rows = await db
    .select(columns)
    .from(grants)
    .where(and(eq(grants.clientId, clientId), notInTestRun(db)))
    .limit(EXAMINED_GRANTS + 1);
  const examined = rows.slice(0, EXAMINED_GRANTS).filter(({ revokedAt }) => revokedAt === null);
  const userIds = [...new Set(examined.map(({ userId }) => userId))];
  // Not a join: PostgreSQL could then read the whole table of users.
  const enabled = db
    .select({ id: users.id, accessEpoch: users.accessEpoch })
    .from(users)
    .where(and(inArray(users.id, userIds), isNull(users.disabledAt)));
  const epochs = new Map((userIds.length === 0 ? [] : await enabled).map(({ id, accessEpoch }) => [id, accessEpoch]));
  const live = examined.filter(({ userId, accessEpoch }) => epochs.get(userId) === accessEpoch);
  return { grants: live.map(({ userId, scope }) => ({ userId, scope })), more: rows.length > EXAMINED_GRANTS };
}
