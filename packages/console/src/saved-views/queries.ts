import type { Db, ReadDb, WriteQuery } from "@gatehouse/db/query/db";
import { and, asc, eq, or } from "drizzle-orm";

/** A saved view of a list. `query` is a query string without the question mark; `createdAt` is in Unix seconds. */
export type SavedView = {
  id: string;
  userId: string;
  list: string;
  name: string;
  query: string;
  shared: boolean;
  createdAt: number;
};

/** A user's own views of a list and those shared with everybody, by name. At most `limit`. */
export function listSavedViews(
  db: ReadDb,
  { userId, list, limit }: { userId: string; list: string; limit: number },
): Promise<SavedView[]> {
  const { savedViews: v } = db.tables;
  return db
    .select()
    .from(v)
    .where(and(eq(v.list, list), or(eq(v.userId, userId), eq(v.shared, true))))
    .orderBy(asc(v.name), asc(v.id))
    .limit(limit);
}

export async function findSavedView(db: ReadDb, id: string): Promise<SavedView | undefined> {
  const { savedViews: v } = db.tables;
  const [row] = await db.select().from(v).where(eq(v.id, id));
  return row;
}

/** Adds a view, in the place of `replaces` if there is one, and makes `also` in the same transaction. */
export async function insertSavedView(
  db: Db,
  view: SavedView,
  { replaces, also = [] }: { replaces?: string | undefined; also?: readonly WriteQuery[] } = {},
): Promise<void> {
  const { savedViews: v } = db.tables;
  const removal = replaces === undefined ? [] : [db.delete(v).where(eq(v.id, replaces))];
  await db.transaction([...removal, db.insert(v).values(view), ...also]);
}

/** Deletes a view and makes `also` in the same transaction. */
export async function deleteSavedView(db: Db, id: string, also: readonly WriteQuery[] = []): Promise<void> {
  const { savedViews: v } = db.tables;
  await db.transaction([db.delete(v).where(eq(v.id, id)), ...also]);
}
