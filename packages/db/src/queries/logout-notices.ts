import type { LogoutNotice } from "@gatehouse/auth";
import { and, asc, eq, inArray, isNull, lte, sql } from "drizzle-orm";
import type { Handle } from "../query/handle.ts";

/** How long a process may take for a notice before another one tries it. */
const CLAIM_SECONDS = 60;

/** One notice for each client with a grant of this session and a back-channel logout URI; a second call adds nothing. */
export async function queueLogoutNotices({ db, tables }: Handle, sessionId: string, now: number): Promise<void> {
  const { grants, clients, logoutNotices } = tables;
  const rows = await db
    .selectDistinct({ clientId: grants.clientId, userId: grants.userId })
    .from(grants)
    .where(eq(grants.sessionId, sessionId));
  if (rows.length === 0) return;
  const ids = rows.map(({ clientId }) => clientId);
  const options = await db.select({ id: clients.id, options: clients.options }).from(clients).where(inArray(clients.id, ids));
  const told = new Set(options.filter((client) => client.options.backchannelLogoutUri !== undefined).map(({ id }) => id));
  const notices = rows
    .filter(({ clientId }) => told.has(clientId))
    .map(({ clientId, userId }) => ({
      id: `${sessionId}.${clientId}`,
      clientId,
      userId,
      sessionId,
      nextAttemptAt: now,
      createdAt: now,
    }));
  if (notices.length > 0) await db.insert(logoutNotices).values(notices).onConflictDoNothing();
}

/** Claims due notices one by one, each by a conditional statement, so that two processes never send the same one at once. */
export async function claimLogoutNotices(
  { db, tables: { logoutNotices: n } }: Handle,
  now: number,
  limit: number,
): Promise<LogoutNotice[]> {
  const due = and(isNull(n.doneAt), lte(n.nextAttemptAt, now));
  const candidates = await db.select({ id: n.id }).from(n).where(due).orderBy(asc(n.nextAttemptAt)).limit(limit);
  const taken: LogoutNotice[] = [];
  for (const { id } of candidates) {
    const claimed = await db
      .update(n)
      .set({ attempts: sql`${n.attempts} + 1`, nextAttemptAt: now + CLAIM_SECONDS })
      .where(and(eq(n.id, id), due))
      .returning();
    taken.push(...claimed);
  }
  return taken;
}

export async function recordLogoutAttempt(
  { db, tables: { logoutNotices: n } }: Handle,
  id: string,
  outcome: { doneAt: number } | { nextAttemptAt: number; lastError: string },
): Promise<void> {
  await db.update(n).set(outcome).where(eq(n.id, id));
}
