import { and, eq, inArray } from "drizzle-orm";
import type { Handle, ReadHandle, WriteQuery } from "../../query/handle.ts";

export type RerunRow = Handle["tables"]["webhookReruns"]["$inferSelect"];

/** What a run writes while it works. */
export type RerunProgress = Pick<RerunRow, "cursor" | "total" | "totalKnown" | "succeeded" | "failed" | "skipped" | "problems">;

/** The insert of a run, for {@link Handle.transaction}. */
export function insertRerun({ db, tables: { webhookReruns } }: Handle, row: RerunRow): WriteQuery {
  return db.insert(webhookReruns).values(row);
}

export async function findRerun({ db, tables: { webhookReruns: r } }: ReadHandle, id: string): Promise<RerunRow | undefined> {
  const [row] = await db.select().from(r).where(eq(r.id, id));
  return row;
}

const OPEN = ["queued", "running"] as const;

/** Ends a run; returns a row if it was not finished. For {@link Handle.guarded}. */
export function cancelRerun({ db, tables: { webhookReruns: r } }: Handle, id: string, now: number): WriteQuery {
  return db
    .update(r)
    .set({ state: "cancelled", finishedAt: now })
    .where(and(eq(r.id, id), inArray(r.state, [...OPEN])))
    .returning({ id: r.id });
}

/** Saves how far a run came, unless it was cancelled. For {@link Handle.guarded}. */
export function saveRerun(
  { db, tables: { webhookReruns: r } }: Handle,
  id: string,
  change: RerunProgress & Pick<RerunRow, "state" | "finishedAt">,
): WriteQuery {
  return db
    .update(r)
    .set(change)
    .where(and(eq(r.id, id), inArray(r.state, [...OPEN])));
}
