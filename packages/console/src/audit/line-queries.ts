import type { AccountEvent } from "@gatehouse/accounts";
import type { Db, ReadDb } from "@gatehouse/db/query/db";
import { asc, inArray, not } from "drizzle-orm";
import { eventColumns } from "../users/activity-queries.ts";

/** The oldest events of accounts that were not written to stdout yet, by an index that has no others. */
export function listUnloggedEvents(db: ReadDb, limit: number): Promise<AccountEvent[]> {
  const { accountEvents: e } = db.tables;
  return db.select(eventColumns(e)).from(e).where(not(e.logged)).orderBy(asc(e.id)).limit(limit);
}

/** Notes that these events were written to stdout. */
export async function markEventsLogged(db: Db, ids: readonly string[]): Promise<void> {
  const { accountEvents: e } = db.tables;
  await db.update(e).set({ logged: true }).where(inArray(e.id, ids));
}
