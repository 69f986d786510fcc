import type { LogoutNotice } from "@gatehouse/auth";
import { eq, inArray } from "drizzle-orm";
import type { Handle } from "../query/handle.ts";
import { addJobs, LOGOUT_NOTICE_QUEUE } from "./jobs.ts";

/** Adds a job for each client with a grant of this session and a back-channel logout URI. A second call adds nothing while they are pending. */
export async function queueLogoutNotices(handle: Handle, sessionId: string, now: number): Promise<void> {
  const { db, tables } = handle;
  const { grants, clients } = tables;
  const rows = await db
    .selectDistinct({ clientId: grants.clientId, userId: grants.userId })
    .from(grants)
    .where(eq(grants.sessionId, sessionId));
  if (rows.length === 0) return;
  const ids = rows.map(({ clientId }) => clientId);
  const options = await db.select({ id: clients.id, options: clients.options }).from(clients).where(inArray(clients.id, ids));
  const told = new Set(options.filter((client) => client.options.backchannelLogoutUri !== undefined).map(({ id }) => id));
  const notices = rows.flatMap(({ clientId, userId }) => (told.has(clientId) && userId !== null ? [{ clientId, userId, sessionId }] : []));
  await addJobs(
    handle,
    notices.map((payload: LogoutNotice) => ({
      id: `${sessionId}.${payload.clientId}`,
      queue: LOGOUT_NOTICE_QUEUE,
      payload,
      createdAt: now,
    })),
  );
}
