import type { Db } from "@gatehouse/db/query/db";
import type { Position } from "@gatehouse/db/query/page";
import { and, desc, eq, sql } from "drizzle-orm";
import { tablesOf } from "../tables.ts";

export type Note = { id: string; text: string; createdAt: number };

/** A user's notes below `position`, newest first: one more than `limit` when there is a next page. */
export function listNotes(
  db: Db,
  { userId, position, limit }: { userId: string; position: Position | undefined; limit: number },
): Promise<Note[]> {
  const { notes } = tablesOf(db);
  const below = position && sql`(${notes.createdAt}, ${notes.id}) < (${position.at}, ${position.id})`;
  return db
    .select({ id: notes.id, text: notes.text, createdAt: notes.createdAt })
    .from(notes)
    .where(and(eq(notes.userId, userId), below))
    .orderBy(desc(notes.createdAt), desc(notes.id))
    .limit(limit + 1);
}

export async function insertNote(db: Db, note: Note & { userId: string }): Promise<void> {
  await db.insert(tablesOf(db).notes).values(note);
}

/** False when the user has no such note. */
export async function deleteNote(db: Db, { id, userId }: { id: string; userId: string }): Promise<boolean> {
  const { notes } = tablesOf(db);
  const deleted = await db
    .delete(notes)
    .where(and(eq(notes.id, id), eq(notes.userId, userId)))
    .returning({ id: notes.id });
  return deleted.length === 1;
}
