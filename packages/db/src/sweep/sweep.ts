import { TYPED_EMAIL_SECONDS } from "@gatehouse/accounts";
import { LIFETIME, LIFETIME_BOUNDS, timeOrderedIdsFrom } from "@gatehouse/auth";
import {
  and,
  asc,
  count,
  desc,
  eq,
  getTableName,
  gt,
  inArray,
  lt,
  lte,
  notExists,
  or,
  type SQL,
  sql,
} from "drizzle-orm";
import type { PgColumn, PgTable } from "drizzle-orm/pg-core";
import type { Db } from "../query/db.ts";
import { notAccepted } from "../schema/index-conditions.ts";
import { RESTORABLE_SECONDS } from "../schema/removed-rows.ts";
import { forgetTypedEmails } from "../stores/accounts/sign-in-rows.ts";
import { deleteExpiredBlocks } from "../stores/auth/client-blocks.ts";
import { grantsOfRunsBefore } from "../stores/auth/test-runs.ts";
import { deleteUnusedClients } from "../stores/auth/unused-clients.ts";
import { deadFailures } from "../stores/failures/failure-groups.ts";
import { sweepUsage } from "../stores/stats/usage-writes.ts";
import { deadAccountRows } from "./sweep-accounts.ts";

/** How many seconds a dead row is kept: long enough to tell "expired" from "unknown", and a replay from a guess. */
const KEPT = {
  accessToken: 3600,
  /** A replay revokes the code's tokens as long as its row exists. */
  code: 86_400,
  /** A user who opened it in time may still be signing in and then deciding; each page has its own lifetime. */
  pushedRequest: 2 * LIFETIME.pendingRequestSeconds,
  /** At least as long as an access token of the last refresh can live: `abandoned` relies on it. */
  refreshToken: LIFETIME_BOUNDS.accessTokenSeconds.max,
  deviceCode: 3600,
  session: 86_400,
  /** A retired secret tells an admin why a client fails. */
  clientSecret: 90 * 86_400,
  webhookSecret: 90 * 86_400,
  apiToken: 90 * 86_400,
  deadJob: 7 * 86_400,
  webhookRerun: 30 * 86_400,
  initialAccessToken: 30 * 86_400,
  testRun: 3600,
  /** An ended slot tells the ledger why a preview fails. */
  previewSlot: 30 * 86_400,
  statHour: 35 * 86_400,
  statDay: 400 * 86_400,
} as const;

/**
 * How many of the newest rows are kept where rows do not expire and anyone can cause them. Of rejected deliveries, at
 * each endpoint: what a stranger sends to one deletes nothing of another.
 */
const NEWEST = {
  refusals: 10_000,
  failureGroups: 5_000,
  rejectedDeliveries: 10_000,
  signIns: 200_000,
  statHours: 200_000,
  statDays: 100_000,
};

/** For how long the sign-in log is kept where no setting says otherwise. */
const SIGN_IN_DAYS = 90;

/** Of rejected deliveries at each endpoint, if the inbox takes too much space. */
const NEWEST_IF_FULL = 200;

const BATCH = 500;
/** Per table and run; the next run deletes the rest. */
const MAX_BATCHES = 200;
/**
 * A million access tokens or codes per run, which keeps up with 1,600 new ones per second. Deleting them by key is
 * cheap.
 */
const MAX_KEY_BATCHES = 2000;

/** How many rows were deleted, by table. */
export type Swept = Record<string, number>;

/**
 * Deletes rows that no longer matter, in small statements so that no other write waits long. Safe at any time and from
 * several processes. `mailWorks`: also deletes accounts that were never verified. `sweepInbox` deletes webhook events
 * and accepted deliveries. Nothing relies on it: an expired row is rejected whether it was deleted or not.
 */
export async function sweep(
  db: Db,
  now: number,
  { newest = NEWEST, inboxIsFull = false, mailWorks = false, signInDays = SIGN_IN_DAYS } = {},
): Promise<Swept> {
  const { tables: t } = db;
  const swept: Swept = {};
  const remove = async (table: PgTable, key: PgColumn, condition: SQL | undefined) => {
    const name = getTableName(table);
    swept[name] = (swept[name] ?? 0) + (await removeInBatches(db, table, key, condition));
  };

  swept[getTableName(t.accessTokens)] = await removeKeysBefore(db, t.accessTokens, now - KEPT.accessToken);
  swept[getTableName(t.authorizationCodes)] = await removeKeysBefore(
    db,
    t.authorizationCodes,
    now - LIFETIME.codeSeconds - KEPT.code,
  );
  await remove(
    t.refreshFamilies,
    t.refreshFamilies.id,
    lte(t.refreshFamilies.absoluteExpiresAt, now - KEPT.refreshToken),
  );
  await remove(t.deviceCodes, t.deviceCodes.hash, lte(t.deviceCodes.expiresAt, now - KEPT.deviceCode));
  await remove(t.sessions, t.sessions.hash, lte(t.sessions.expiresAt, now - KEPT.session));
  await remove(t.clientSecrets, t.clientSecrets.id, retiredBefore(t.clientSecrets, now - KEPT.clientSecret));
  await remove(t.webhookSecrets, t.webhookSecrets.id, endedBefore(t.webhookSecrets, now - KEPT.webhookSecret));
  await remove(
    t.apiTokens,
    t.apiTokens.id,
    or(lte(t.apiTokens.expiresAt, now - KEPT.apiToken), lte(t.apiTokens.endedAt, now - KEPT.apiToken)),
  );
  await remove(t.rateLimits, t.rateLimits.key, lte(t.rateLimits.expire, now * 1000));
  await remove(t.pushedRequests, t.pushedRequests.hash, lte(t.pushedRequests.expiresAt, now - KEPT.pushedRequest));
  await remove(t.previewSlots, t.previewSlots.id, lte(t.previewSlots.endsAt, now - KEPT.previewSlot));
  await remove(t.spentIds, t.spentIds.hash, lte(t.spentIds.expiresAt, now));
  await remove(t.webhookReruns, t.webhookReruns.id, lte(t.webhookReruns.createdAt, now - KEPT.webhookRerun));
  await remove(t.jobs, t.jobs.id, lte(t.jobs.deadAt, now - KEPT.deadJob));
  await remove(t.signingKeys, t.signingKeys.kid, lte(t.signingKeys.removeAfter, now));
  await remove(t.removedObjects, t.removedObjects.id, lte(t.removedObjects.removedAt, now - RESTORABLE_SECONDS));
  swept[getTableName(t.clientBlocks)] = await deleteExpiredBlocks(db, now);
  await remove(
    t.initialAccessTokens,
    t.initialAccessTokens.hash,
    lte(t.initialAccessTokens.expiresAt, now - KEPT.initialAccessToken),
  );
  swept[getTableName(t.applications)] = await deleteUnusedClients(db, now);
  await remove(t.statHour, t.statHour.at, statsBefore(db, t.statHour, now - KEPT.statHour, newest.statHours));
  await remove(t.statDay, t.statDay.at, statsBefore(db, t.statDay, now - KEPT.statDay, newest.statDays));
  Object.assign(swept, await sweepUsage(db, now));
  await remove(t.grants, t.grants.id, inArray(t.grants.id, grantsOfRunsBefore(db, now - KEPT.testRun)));
  await remove(t.grants, t.grants.id, abandoned(db, now - LIFETIME.refreshAbsoluteSeconds - KEPT.refreshToken));
  const failures = deadFailures(db, now, { groups: newest.failureGroups, ungrouped: newest.refusals });
  await remove(t.refusals, t.refusals.errorId, failures.oldRefusals);
  await remove(t.refusals, t.refusals.errorId, failures.excessUngrouped);
  await remove(t.refusalGroupHours, t.refusalGroupHours.at, failures.oldHours);
  await remove(t.refusalGroups, t.refusalGroups.key, failures.oldGroups);
  await remove(t.refusalGroups, t.refusalGroups.key, failures.excessGroups);
  swept[getTableName(t.webhookDeliveries)] = 0;
  for (const excess of await excessRejections(db, inboxIsFull ? NEWEST_IF_FULL : newest.rejectedDeliveries))
    await remove(t.webhookDeliveries, t.webhookDeliveries.id, excess);
  await forgetTypedEmails(db, timeOrderedIdsFrom(now - TYPED_EMAIL_SECONDS));
  for (const excess of await excessSignIns(db, now - signInDays * 86_400, newest.signIns))
    await remove(t.signIns, t.signIns.id, excess);
  for (const { table, key, condition } of deadAccountRows(db, now, { mailWorks })) await remove(table, key, condition);
  if (db.versions.sweep) swept["cache_changes"] = await db.versions.sweep();
  return swept;
}

async function removeInBatches(db: Db, table: PgTable, key: PgColumn, condition: SQL | undefined): Promise<number> {
  let removed = 0;
  for (let batch = 0; batch < MAX_BATCHES; batch++) {
    const some = db.select({ key }).from(table).where(condition).limit(BATCH);
    const gone = await db.delete(table).where(inArray(key, some)).returning({ key });
    removed += gone.length;
    if (gone.length < BATCH) break;
  }
  return removed;
}

/** Deletes a range of time-ordered keys, in order: no statement passes the rows that those before it deleted. */
async function removeKeysBefore(
  db: Db,
  table: Db["tables"]["accessTokens" | "authorizationCodes"],
  instant: number,
): Promise<number> {
  const end = timeOrderedIdsFrom(instant);
  let removed = 0;
  let after = "";
  for (let batch = 0; batch < MAX_KEY_BATCHES; batch++) {
    const range = sql`${table.hash} > ${after} and ${table.hash} < ${end}`;
    const some = db.select({ key: table.hash }).from(table).where(range).orderBy(asc(table.hash)).limit(BATCH);
    const gone = await db.delete(table).where(inArray(table.hash, some)).returning({ key: table.hash });
    removed += gone.length;
    if (gone.length < BATCH) break;
    for (const { key } of gone) if (key > after) after = key;
  }
  return removed;
}

/** Matches attempts that are too old, and the oldest beyond the limit: a row per bucket and user adds up. */
async function excessSignIns(db: Db, instant: number, newest: number): Promise<(SQL | undefined)[]> {
  const { signIns: s } = db.tables;
  const [beyond] = await db.select({ id: s.id }).from(s).orderBy(desc(s.id)).limit(1).offset(newest);
  const old = lt(s.id, timeOrderedIdsFrom(instant));
  return beyond ? [old, lte(s.id, beyond.id)] : [old];
}

function retiredBefore(secrets: Db["tables"]["clientSecrets"], instant: number): SQL | undefined {
  return or(lte(secrets.revokedAt, instant), lte(secrets.expiresAt, instant));
}

function endedBefore(secrets: Db["tables"]["webhookSecrets"], instant: number): SQL | undefined {
  return or(lte(secrets.removedAt, instant), lte(secrets.expiresAt, instant));
}

/** Grants older than any code, without refresh tokens: no access token of theirs can be live. */
function abandoned(db: Db, instant: number): SQL | undefined {
  const { grants, refreshFamilies } = db.tables;
  const under = db.select({ one: sql`1` }).from(refreshFamilies).where(eq(refreshFamilies.grantId, grants.id));
  return and(lte(grants.createdAt, instant), notExists(under));
}

/** Matches counts that are too old or exceed the row limit. */
function statsBefore(
  db: Db,
  stat: Db["tables"]["statHour" | "statDay"],
  instant: number,
  newest: number,
): SQL | undefined {
  const beyond = db.select({ at: stat.at }).from(stat).orderBy(desc(stat.at)).limit(1).offset(newest);
  return or(lte(stat.at, instant), sql`${stat.at} <= (${beyond})`);
}

/**
 * Matches the rejected deliveries of each endpoint that has more than `newest`, older than those. Reads only the index
 * on the outcome.
 */
async function excessRejections(db: Db, newest: number): Promise<(SQL | undefined)[]> {
  const { webhookDeliveries: d } = db.tables;
  const rejected = and(eq(d.outcome, "rejected"), notAccepted(d));
  const full = await db
    .select({ endpoint: d.endpoint })
    .from(d)
    .where(rejected)
    .groupBy(d.endpoint)
    .having(gt(count(), newest));
  const excess = full.map(async ({ endpoint }) => {
    // In a form that the index on the endpoint does not serve
    const own = and(rejected, sql`${d.endpoint} || '' = ${endpoint}`);
    const [last] = await db
      .select({ id: d.id })
      .from(d)
      .where(own)
      .orderBy(desc(d.outcome), desc(d.id))
      .limit(1)
      .offset(newest);
    return last ? [and(own, lte(d.id, last.id))] : [];
  });
  return (await Promise.all(excess)).flat();
}
