import type { Handle } from "@gatehouse/db/query/handle";
import type { Position } from "@gatehouse/db/query/page";
import { and, desc, eq, sql } from "drizzle-orm";
import { tablesOf } from "../tables.ts";

export type Note = { id: string; text: string; createdAt: number };

/** A user's notes below `position`, newest first: one more than `limit` when there is a next page. */
export function listNotes(
  handle: Handle,
  { userId, position, limit }: { userId: string; position: Position | undefined; limit: number },
): Promise<Note[]> {
  const { notes } = tablesOf(handle);
  const below = position && sql`(${notes.createdAt}, ${notes.id}) < (${position.at}, ${position.id})`;
  return handle.db
    .select({ id: notes.id, text: notes.text, createdAt: notes.createdAt })
    .from(notes)
    .where(and(eq(notes.userId, userId), below))
    .orderBy(desc(notes.createdAt), desc(notes.id))
    .limit(limit + 1);
}

export async function insertNote(handle: Handle, note: Note & { userId: string }): Promise<void> {
  await handle.db.insert(tablesOf(handle).notes).values(note);
}

/** False when the user has no such note. */
export async function deleteNote(handle: Handle, { id, userId }: { id: string; userId: string }): Promise<boolean> {
  const { notes } = tablesOf(handle);
  const deleted = await handle.db
    .delete(notes)
    .where(and(eq(notes.id, id), eq(notes.userId, userId)))
    .returning({ id: notes.id });
  return deleted.length === 1;
}
