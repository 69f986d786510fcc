import { and, gt, inArray, isNull, max, type SQL, sql } from "drizzle-orm";
import type { PgColumn, PgTable } from "drizzle-orm/pg-core";
import type { Handle, ReadHandle } from "../query/handle.ts";

/** How many rows were ended, by table. */
export type Ended = Record<
  | "sessions"
  | "grants"
  | "access_tokens"
  | "device_codes"
  | "pushed_requests"
  | "initial_access_tokens"
  | "mailed_tokens"
  | "invitations"
  | "remembered_browsers",
  number
>;

const REASON = "restored from a backup";
/** Rows per statement, so that each finishes well within the server's time limit. */
const BATCH = 2000;

/**
 * Ends every session and grant with its codes and tokens, clients' own tokens, pending device and pushed requests, initial access
 * tokens, mailed links and codes, invitations and remembered browsers: a backup does not know what was used or revoked after it was made. Safe to repeat. OP-52.
 */
export async function endAllAccess(handle: Handle, now: number): Promise<Ended> {
  const { db, tables: t } = handle;
  const end = (table: PgTable, key: PgColumn, change: Record<string, unknown>, live: SQL | undefined) =>
    inBatches(async () => {
      const some = db.select({ key }).from(table).where(live).limit(BATCH);
      return db.update(table).set(change).where(inArray(key, some)).returning({ key });
    });
  return {
    sessions: await end(t.sessions, t.sessions.hash, { revokedAt: now }, isNull(t.sessions.revokedAt)),
    grants: await end(t.grants, t.grants.id, { revokedAt: now, revokedReason: REASON }, isNull(t.grants.revokedAt)),
    access_tokens: await end(
      t.accessTokens,
      t.accessTokens.hash,
      { revokedAt: now },
      and(isNull(t.accessTokens.revokedAt), gt(t.accessTokens.expiresAt, now)),
    ),
    device_codes: await end(
      t.deviceCodes,
      t.deviceCodes.hash,
      { expiresAt: now },
      and(isNull(t.deviceCodes.redeemedAt), gt(t.deviceCodes.expiresAt, now)),
    ),
    pushed_requests: await end(t.pushedRequests, t.pushedRequests.hash, { expiresAt: now }, gt(t.pushedRequests.expiresAt, now)),
    initial_access_tokens: await end(
      t.initialAccessTokens,
      t.initialAccessTokens.hash,
      { expiresAt: now },
      sql`(${t.initialAccessTokens.expiresAt} is null or ${t.initialAccessTokens.expiresAt} > ${now})`,
    ),
    mailed_tokens: await end(
      t.mailedTokens,
      t.mailedTokens.hash,
      { expiresAt: now },
      and(isNull(t.mailedTokens.spentAt), gt(t.mailedTokens.expiresAt, now)),
    ),
    invitations: await end(
      t.invitations,
      t.invitations.id,
      { withdrawnAt: now },
      and(isNull(t.invitations.acceptedAt), isNull(t.invitations.withdrawnAt)),
    ),
    remembered_browsers: await end(
      t.rememberedBrowsers,
      t.rememberedBrowsers.hash,
      { expiresAt: now },
      gt(t.rememberedBrowsers.expiresAt, now),
    ),
  };
}

async function inBatches(step: () => Promise<unknown[]>): Promise<number> {
  let ended = 0;
  for (;;) {
    const rows = await step();
    ended += rows.length;
    if (rows.length < BATCH) return ended;
  }
}

/** When the latest webhook event was received; undefined if there is none. */
export async function latestEventAt({ db, tables: { webhookEvents: events } }: ReadHandle): Promise<number | undefined> {
  const [row] = await db.select({ at: max(events.receivedAt) }).from(events);
  return row?.at == null ? undefined : Number(row.at);
}

/** How many events were received after this time. */
export async function countEventsSince({ db, tables: { webhookEvents: events } }: ReadHandle, instant: number): Promise<number> {
  const [row] = await db.select({ count: sql<number | string>`count(*)` }).from(events).where(gt(events.receivedAt, instant));
  return Number(row?.count ?? 0);
}
