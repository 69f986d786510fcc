import { and, eq, gt, isNull } from "drizzle-orm";
import type { Handle } from "../handle.ts";

/** Ends every live session of a user; says how many. */
export async function revokeUserSessions({ db, tables: { sessions } }: Handle, userId: string, now: number): Promise<number> {
  const ended = await db
    .update(sessions)
    .set({ revokedAt: now })
    .where(and(eq(sessions.userId, userId), isNull(sessions.revokedAt), gt(sessions.expiresAt, now)))
    .returning({ id: sessions.id });
  return ended.length;
}
