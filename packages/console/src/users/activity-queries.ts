import type { AccountEvent } from "@gatehouse/accounts";
import type { Db, ReadDb } from "@gatehouse/db/query/db";
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
  const { accountEvents } = db.tables;
  return db
    .select()
    .from(accountEvents)
    .where(and(eq(accountEvents.userId, userId), before === undefined ? undefined : lt(accountEvents.id, before)))
    .orderBy(desc(accountEvents.id))
    .limit(limit);
}
