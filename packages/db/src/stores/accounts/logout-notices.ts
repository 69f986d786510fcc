import { and, eq, type SQL, sql } from "drizzle-orm";
import { databaseNow } from "../../query/clock.ts";
import type { Db, WriteQuery } from "../../query/db.ts";
import { noAdminRegistered } from "../../schema/index-conditions.ts";
import { LOGOUT_NOTICE_QUEUE, SELF_DESCRIBED_NOTICE_QUEUE } from "../jobs/jobs.ts";

/**
 * The write that adds a job for each client with a grant of these sessions and a back-channel logout URI, for the
 * transaction that ends them. Each notice names the session as the client was told, also if another one has replaced it
 * since: a client with two names for it gets two. It adds nothing while a notice of the same session is pending. OpenID
 * Connect Back-Channel Logout §2.4.
 */
export function logoutNotices(db: Db, ended: SQL | undefined, now: number): WriteQuery {
  const { dialect, tables } = db;
  const { jobs, sessions, grants, clients } = tables;
  const object = dialect === "sqlite" ? sql.raw("json_object") : sql.raw("jsonb_build_object");
  const sid = sql<string>`coalesce(${grants.sid}, ${sessions.id})`;
  const notices = db
    .select({
      id: sql<string>`${sid} || '.' || ${grants.clientId}`.as("id"),
      queue:
        sql<string>`cast(case when ${noAdminRegistered(clients)} then ${SELF_DESCRIBED_NOTICE_QUEUE} else ${LOGOUT_NOTICE_QUEUE} end as text)`.as(
          "queue",
        ),
      orderKey: sql<null>`cast(null as text)`.as("order_key"),
      payload: sql`${object}('clientId', ${grants.clientId}, 'userId', ${sessions.userId}, 'sessionId', ${sid})`.as(
        "payload",
      ),
      runAt: databaseNow(db).as("run_at"),
      attempts: sql<number>`0`.as("attempts"),
      leaseToken: sql<null>`cast(null as text)`.as("lease_token"),
      lastError: sql<null>`cast(null as text)`.as("last_error"),
      deadAt: sql<null>`cast(null as bigint)`.as("dead_at"),
      createdAt: sql<number>`cast(${now} as bigint)`.as("created_at"),
    })
    .from(sessions)
    .innerJoin(grants, eq(grants.sessionId, sessions.id))
    .innerJoin(clients, eq(clients.id, grants.clientId))
    .where(and(ended, sql`${clients.options} ->> 'backchannelLogoutUri' is not null`));
  return db.insert(jobs).select(notices).onConflictDoNothing();
}

/** {@link logoutNotices} of the sessions of a user that a change in the same transaction ended. */
export function logoutNoticesOf(db: Db, userId: string, now: number): WriteQuery {
  const { sessions } = db.tables;
  return logoutNotices(db, and(eq(sessions.userId, userId), eq(sessions.revokedAt, now)), now);
}
