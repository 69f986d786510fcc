import { timeOfId, timeOrderedIdsFrom } from "@gatehouse/auth";
import type { ReadDb } from "@gatehouse/db/query/db";
import type { Position } from "@gatehouse/db/query/page";
import { equalsUnindexed, type FoundRows, scanPage } from "@gatehouse/db/query/scan";
import type { MailRow } from "@gatehouse/db/stores/jobs/mails";
import { desc, gte } from "drizzle-orm";
import type { MailFilter } from "../lists/lists.ts";

/** Newest first. `maxRows`: how many rows to examine if no index serves the filter. */
export function listMailRows(
  db: ReadDb,
  { recipient, state }: MailFilter,
  position: Position | undefined,
  limit: number,
  maxRows?: number,
): Promise<FoundRows<MailRow>> {
  const { mails } = db.tables;
  const equal = recipient === undefined ? undefined : { column: mails.recipient, value: recipient };
  const index = { table: mails, id: mails.id, idsFrom: timeOrderedIdsFrom, timeOf: timeOfId, equal };
  return scanPage(
    db,
    { index, residual: equalsUnindexed(mails.state, state), position, limit, maxRows },
    (condition, order) =>
      db
        .select()
        .from(mails)
        .where(condition)
        .orderBy(...order)
        .limit(limit + 1),
  );
}

/** The newest mails that were written at or after `since`. */
export async function listNewestMails(db: ReadDb, since: number, limit: number): Promise<MailRow[]> {
  const { mails } = db.tables;
  return db
    .select()
    .from(mails)
    .where(gte(mails.createdAt, since))
    .orderBy(desc(mails.createdAt), desc(mails.id))
    .limit(limit);
}
