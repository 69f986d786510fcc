import { and, eq, inArray } from "drizzle-orm";
import type { Db, ReadDb, WriteQuery } from "../../query/db.ts";

export type RerunRow = Db["tables"]["webhookReruns"]["$inferSelect"];

/** What a run writes while it works. */
export type RerunProgress = Pick<
  RerunRow,
  "cursor" | "total" | "totalKnown" | "succeeded" | "failed" | "skipped" | "problems"
>;

/** The insert of a run, for {@link Db.transaction}. */
export function insertRerun(db: Db, row: RerunRow): WriteQuery {
  const { webhookReruns } = db.tables;
  return db.insert(webhookReruns).values(row);
}

export async function findRerun(db: ReadDb, id: string): Promise<RerunRow | undefined> {
  const { webhookReruns: r } = db.tables;
  const [row] = await db.select().from(r).where(eq(r.id, id));
  return row;
}

const OPEN = ["queued", "running"] as const;

/** Ends a run; returns a row if it was not finished. For {@link Db.guarded}. */
export function cancelRerun(db: Db, id: string, now: number): WriteQuery {
  const { webhookReruns: r } = db.tables;
  return db
    .update(r)
    .set({ state: "cancelled", finishedAt: now })
    .where(and(eq(r.id, id), inArray(r.state, [...OPEN])))
    .returning({ id: r.id });
}

/** Saves how far a run came, unless it was cancelled. For {@link Db.guarded}. */
export function saveRerun(
  db: Db,
  id: string,
  change: RerunProgress & Pick<RerunRow, "state" | "finishedAt">,
): WriteQuery {
  const { webhookReruns: r } = db.tables;
  return db
    .update(r)
    .set(change)
    .where(and(eq(r.id, id), inArray(r.state, [...OPEN])));
}
