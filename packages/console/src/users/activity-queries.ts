import type { AccountEvent } from "@gatehouse/accounts";
import type { Db, ReadDb, Tables } from "@gatehouse/db/query/db";
import { and, desc, eq, lt } from "drizzle-orm";

/** Records an event whose cause is written elsewhere: the end of a session, for example. */
export async function saveAccountEvent(db: Db, event: AccountEvent): Promise<void> {
  const { accountEvents } = db.tables;
  await db.insert(accountEvents).values(event);
}

/** An account's events, newest first. `before`: the id of the last event of the page before. */
export function listAccountEvents(
  db: ReadDb,
  { userId, before, limit }: { userId: string; before?: string | undefined; limit: number },
): Promise<AccountEvent[]> {
  const { accountEvents: e } = db.tables;
  return db
    .select(eventColumns(e))
    .from(e)
    .where(and(eq(e.userId, userId), before === undefined ? undefined : lt(e.id, before)))
    .orderBy(desc(e.id))
    .limit(limit);
}

/** What an event says, without whether it was logged. */
export const eventColumns = (e: Tables["accountEvents"]) => ({
  id: e.id,
  userId: e.userId,
  at: e.at,
  kind: e.kind,
  userAgent: e.userAgent,
  address: e.address,
  detail: e.detail,
});
