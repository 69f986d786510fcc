import { LIFETIME } from "@gatehouse/auth";
import { and, desc, eq, getTableName, inArray, lte, notExists, or, type SQL, sql } from "drizzle-orm";
import type { PgColumn, PgTable } from "drizzle-orm/pg-core";
import type { Handle } from "../query/handle.ts";
import { deleteExpiredBlocks } from "./client-blocks.ts";
import { notAccepted } from "./deliveries.ts";
import { deleteUnusedClients } from "./unused-clients.ts";

/** For how long a dead row stays, in seconds: long enough to tell "expired" from "unknown", and a replay from a guess. */
const KEPT = {
  accessToken: 3600,
  /** A replayed code revokes what it minted, as long as we remember it. */
  code: 86_400,
  /** A user who opened it in time may still be signing in, then deciding; each page has a life of its own. */
  pushedRequest: 2 * LIFETIME.pendingRequestSeconds,
  refreshToken: 86_400,
  deviceCode: 3600,
  session: 86_400,
  /** A retired secret still explains to an admin why a client fails. */
  clientSecret: 90 * 86_400,
  webhookSecret: 90 * 86_400,
  logoutNotice: 7 * 86_400,
  overflow: 30 * 86_400,
  initialAccessToken: 30 * 86_400,
} as const;

/** Of what has no expiry but may be made by anyone, so many of the newest rows stay. */
const NEWEST = { refusals: 10_000, rejectedDeliveries: 50_000 };

const BATCH = 500;
/** Per table and run; what is left waits for the next one. */
const MOST_BATCHES = 200;

/** How many rows went, by table. */
export type Swept = Record<string, number>;

/**
 * Removes rows that can no longer matter, in small statements so that nobody waits long. Safe at any time and from
 * several processes. Never touches webhook events or accepted deliveries. Nothing relies on it: a dead row is refused
 * whether or not it is still there.
 */
export async function sweep(handle: Handle, now: number, newest = NEWEST): Promise<Swept> {
  const { tables: t } = handle;
  const swept: Swept = {};
  const remove = async (table: PgTable, key: PgColumn, doomed: SQL | undefined) => {
    const name = getTableName(table);
    swept[name] = (swept[name] ?? 0) + (await removeInBatches(handle, table, key, doomed));
  };

  await remove(t.accessTokens, t.accessTokens.hash, lte(t.accessTokens.expiresAt, now - KEPT.accessToken));
  await remove(t.authorizationCodes, t.authorizationCodes.hash, lte(t.authorizationCodes.expiresAt, now - KEPT.code));
  await remove(t.refreshTokens, t.refreshTokens.hash, lte(t.refreshTokens.absoluteExpiresAt, now - KEPT.refreshToken));
  await remove(t.deviceCodes, t.deviceCodes.hash, lte(t.deviceCodes.expiresAt, now - KEPT.deviceCode));
  await remove(t.sessions, t.sessions.hash, lte(t.sessions.expiresAt, now - KEPT.session));
  await remove(t.clientSecrets, t.clientSecrets.id, retiredBefore(t.clientSecrets, now - KEPT.clientSecret));
  await remove(t.webhookSecrets, t.webhookSecrets.id, endedBefore(t.webhookSecrets, now - KEPT.webhookSecret));
  await remove(t.rateLimits, t.rateLimits.key, lte(t.rateLimits.expire, now * 1000));
  await remove(t.pushedRequests, t.pushedRequests.hash, lte(t.pushedRequests.expiresAt, now - KEPT.pushedRequest));
  await remove(t.spentIds, t.spentIds.hash, lte(t.spentIds.expiresAt, now));
  await remove(t.logoutNotices, t.logoutNotices.id, lte(t.logoutNotices.createdAt, now - KEPT.logoutNotice));
  await remove(t.signingKeys, t.signingKeys.kid, lte(t.signingKeys.removeAfter, now));
  swept[getTableName(t.clientBlocks)] = await deleteExpiredBlocks(handle, now);
  await remove(t.initialAccessTokens, t.initialAccessTokens.hash, lte(t.initialAccessTokens.expiresAt, now - KEPT.initialAccessToken));
  swept[getTableName(t.applications)] = await deleteUnusedClients(handle, now);
  await remove(t.webhookOverflow, t.webhookOverflow.minuteAt, lte(t.webhookOverflow.minuteAt, now - KEPT.overflow));
  await remove(t.grants, t.grants.id, abandoned(handle, now - LIFETIME.refreshAbsoluteSeconds - KEPT.refreshToken));
  await remove(t.refusals, t.refusals.errorId, inArray(t.refusals.errorId, refusalsBeyond(handle, newest.refusals)));
  await remove(
    t.webhookDeliveries,
    t.webhookDeliveries.id,
    inArray(t.webhookDeliveries.id, rejectionsBeyond(handle, newest.rejectedDeliveries)),
  );
  return swept;
}

async function removeInBatches({ db }: Handle, table: PgTable, key: PgColumn, doomed: SQL | undefined): Promise<number> {
  let removed = 0;
  for (let batch = 0; batch < MOST_BATCHES; batch++) {
    const some = db.select({ key }).from(table).where(doomed).limit(BATCH);
    const gone = await db.delete(table).where(inArray(key, some)).returning({ key });
    removed += gone.length;
    if (gone.length < BATCH) break;
  }
  return removed;
}

function retiredBefore(secrets: Handle["tables"]["clientSecrets"], instant: number): SQL | undefined {
  return or(lte(secrets.revokedAt, instant), lte(secrets.expiresAt, instant));
}

function endedBefore(secrets: Handle["tables"]["webhookSecrets"], instant: number): SQL | undefined {
  return or(lte(secrets.removedAt, instant), lte(secrets.expiresAt, instant));
}

/** Grants older than any token can get, on which nothing hangs any more. */
function abandoned({ db, tables }: Handle, instant: number): SQL | undefined {
  const { grants, accessTokens, refreshTokens, authorizationCodes } = tables;
  const hangsOn = (table: typeof accessTokens | typeof refreshTokens | typeof authorizationCodes) =>
    db.select({ one: sql`1` }).from(table).where(eq(table.grantId, grants.id));
  return and(
    lte(grants.createdAt, instant),
    notExists(hangsOn(accessTokens)),
    notExists(hangsOn(refreshTokens)),
    notExists(hangsOn(authorizationCodes)),
  );
}

function refusalsBeyond({ db, tables: { refusals } }: Handle, newest: number) {
  return db.select({ id: refusals.errorId }).from(refusals).orderBy(desc(refusals.at), desc(refusals.errorId)).limit(BATCH).offset(newest);
}

function rejectionsBeyond({ db, tables: { webhookDeliveries: d } }: Handle, newest: number) {
  return db
    .select({ id: d.id })
    .from(d)
    .where(and(eq(d.outcome, "rejected"), notAccepted(d)))
    .orderBy(desc(d.receivedAt), desc(d.id))
    .limit(BATCH)
    .offset(newest);
}
