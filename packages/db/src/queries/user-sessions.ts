import { and, eq, gt, isNull } from "drizzle-orm";
import type { Handle } from "../handle.ts";

/** Ends every live session of a user; names them. */
export async function revokeUserSessions({ db, tables: { sessions } }: Handle, userId: string, now: number): Promise<string[]> {
  const ended = await db
    .update(sessions)
    .set({ revokedAt: now })
    .where(and(eq(sessions.userId, userId), isNull(sessions.revokedAt), gt(sessions.expiresAt, now)))
    .returning({ id: sessions.id });
  return ended.map(({ id }) => id);
}
