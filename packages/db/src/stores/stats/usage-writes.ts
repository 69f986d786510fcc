import { and, eq, inArray, lt, lte, notExists, or, sql } from "drizzle-orm";
import type { PgColumn, PgTable } from "drizzle-orm/pg-core";
import { BATCH, inBatches } from "../../query/batches.ts";
import type { Db, ReadDb, WriteQuery } from "../../query/db.ts";
import { type Pace, UNPACED } from "../../sweep/pace.ts";

/** `day` is the start of a day in UTC, Unix seconds. */
export type ClientDayRow = { clientId: string; day: number; metric: string; count: number };
export type SecretDayRow = { secretId: string; day: number; uses: number };
export type UriDayRow = { clientId: string; uriHash: string; day: number; uses: number };
export type ScopeDayRow = { clientId: string; scope: string; day: number; uses: number };
/** `lastTokenAt` in Unix seconds. */
export type ClientUseRow = { clientId: string; lastTokenAt: number };

/** `lastTokenAt` in Unix seconds, 0 for none; `refusals` are added. */
export type ApplicationUseRow = { applicationId: string; lastTokenAt: number; refusals: number };
/** `hour` is the start of an hour, Unix seconds. */
export type RefusalHourRow = { applicationId: string; hour: number; count: number };

/** What clients did since the last flush. */
export type UsageRows = {
  clients: readonly ClientDayRow[];
  secrets: readonly SecretDayRow[];
  uris: readonly UriDayRow[];
  scopes: readonly ScopeDayRow[];
  lastTokens: readonly ClientUseRow[];
  applications: readonly ApplicationUseRow[];
  refusalHours: readonly RefusalHourRow[];
};

/** Writes that add to the counts by client, secret, redirect URI and scope. A time never goes back. */
export function usageWrites(db: Db, rows: UsageRows): WriteQuery[] {
  const { tables: t } = db;
  return [
    ...batches(rows.clients).map((some) =>
      db
        .upsert(t.clientDay)
        .values(some)
        .onConflictDoUpdate({
          target: [t.clientDay.clientId, t.clientDay.day, t.clientDay.metric],
          set: { count: sql`${t.clientDay.count} + excluded.count` },
        }),
    ),
    ...batches(rows.secrets).map((some) =>
      db
        .upsert(t.secretDay)
        .values(some)
        .onConflictDoUpdate({
          target: [t.secretDay.secretId, t.secretDay.day],
          set: { uses: sql`${t.secretDay.uses} + excluded.uses` },
        }),
    ),
    ...batches(rows.uris).map((some) =>
      db
        .upsert(t.uriDay)
        .values(some)
        .onConflictDoUpdate({
          target: [t.uriDay.clientId, t.uriDay.uriHash, t.uriDay.day],
          set: { uses: sql`${t.uriDay.uses} + excluded.uses` },
        }),
    ),
    ...batches(rows.scopes).map((some) =>
      db
        .upsert(t.scopeDay)
        .values(some)
        .onConflictDoUpdate({
          target: [t.scopeDay.clientId, t.scopeDay.scope, t.scopeDay.day],
          set: { uses: sql`${t.scopeDay.uses} + excluded.uses` },
        }),
    ),
    ...batches(rows.lastTokens).map((some) =>
      db
        .upsert(t.clientUse)
        .values(some)
        .onConflictDoUpdate({
          target: t.clientUse.clientId,
          set: { lastTokenAt: sql`excluded.last_token_at` },
          setWhere: sql`excluded.last_token_at > ${t.clientUse.lastTokenAt}`,
        }),
    ),
    ...batches(rows.refusalHours).map((some) =>
      db
        .upsert(t.applicationRefusals)
        .values(some)
        .onConflictDoUpdate({
          target: [t.applicationRefusals.applicationId, t.applicationRefusals.hour],
          set: { count: sql`${t.applicationRefusals.count} + excluded.count` },
        }),
    ),
    ...batches(rows.applications).map((some) =>
      db
        .upsert(t.applicationUse)
        .values(some)
        .onConflictDoUpdate({
          target: t.applicationUse.applicationId,
          set: {
            lastTokenAt: sql`case when excluded.last_token_at > ${t.applicationUse.lastTokenAt} then excluded.last_token_at else ${t.applicationUse.lastTokenAt} end`,
            refusals: sql`${t.applicationUse.refusals} + excluded.refusals`,
          },
        }),
    ),
  ];
}

/** Sorted, so that two processes lock rows in the same order. */
function batches<Row extends object>(rows: readonly Row[]): Row[][] {
  const keyed = rows.map((row) => ({ row, key: Object.values(row).slice(0, 3).join(" ") }));
  const sorted = keyed.toSorted((one, other) => (one.key < other.key ? -1 : 1)).map(({ row }) => row);
  return inBatches(sorted);
}

/** How long rows by day are kept, in seconds. CO-11. */
const REFUSALS_KEPT = 86_400;
const KEPT = { clients: 90 * 86_400, others: 40 * 86_400 };

/**
 * Deletes rows that are too old, and the last use of clients that are gone, in small statements. Returns how many of
 * each table.
 */
export async function sweepUsage(db: Db, now: number, pace: Pace = UNPACED): Promise<Record<string, number>> {
  const { clientDay, secretDay, uriDay, scopeDay } = db.tables;
  return {
    client_day: await deleteDaysBefore(db, clientDay, clientDay.clientId, now - KEPT.clients, pace),
    secret_day: await deleteDaysBefore(db, secretDay, secretDay.secretId, now - KEPT.others, pace),
    uri_day: await deleteDaysBefore(db, uriDay, uriDay.clientId, now - KEPT.others, pace),
    scope_day: await deleteDaysBefore(db, scopeDay, scopeDay.clientId, now - KEPT.others, pace),
    client_use: await deleteUseOfGoneClients(db),
    application_use: await deleteUseOfGoneApplications(db),
    application_refusals: await forgetRefusalsBefore(db, now - REFUSALS_KEPT, pace),
  };
}

/** Follows the index on day and owner: each statement deletes the next owners of the oldest days. */
async function deleteDaysBefore(
  db: Db,
  table: PgTable & { day: PgColumn },
  owner: PgColumn,
  instant: number,
  pace: Pace,
): Promise<number> {
  const { day } = table;
  let removed = 0;
  while (!pace.stopped) {
    const oldest = await db.select({ day, owner }).from(table).where(lt(day, instant)).orderBy(day, owner).limit(BATCH);
    const last = oldest.at(-1);
    if (!last) break;
    const upTo = or(lt(day, last.day), and(eq(day, last.day), lte(owner, last.owner)));
    removed += (await pace.run(() => db.delete(table).where(upTo).returning({ day }))).length;
  }
  return removed;
}

async function deleteUseOfGoneClients(db: Db): Promise<number> {
  const { clientUse, clients } = db.tables;
  const client = db.select({ id: clients.id }).from(clients).where(eq(clients.id, clientUse.clientId));
  const gone = db.select({ id: clientUse.clientId }).from(clientUse).where(notExists(client)).limit(BATCH);
  return (await db.delete(clientUse).where(inArray(clientUse.clientId, gone)).returning({ id: clientUse.clientId }))
    .length;
}

async function deleteUseOfGoneApplications(db: Db): Promise<number> {
  const { applicationUse, applications } = db.tables;
  const { applicationId } = applicationUse;
  const application = db.select({ id: applications.id }).from(applications).where(eq(applications.id, applicationId));
  const gone = db.select({ id: applicationId }).from(applicationUse).where(notExists(application)).limit(BATCH);
  return (await db.delete(applicationUse).where(inArray(applicationId, gone)).returning({ id: applicationId })).length;
}

/**
 * Deletes the refusals of hours that ended before `instant`, and takes them away from the sums of their applications.
 */
async function forgetRefusalsBefore(db: Db, instant: number, pace: Pace): Promise<number> {
  const { applicationRefusals: hours, applicationUse: use } = db.tables;
  const old = lte(hours.hour, instant - 3_600);
  let removed = 0;
  while (!pace.stopped) {
    const some = await db.select().from(hours).where(old).orderBy(hours.hour, hours.applicationId).limit(BATCH);
    if (some.length === 0) break;
    const left = ({ applicationId, count }: RefusalHourRow) =>
      db
        .update(use)
        .set({ refusals: sql`case when ${use.refusals} > ${count} then ${use.refusals} - ${count} else 0 end` })
        .where(eq(use.applicationId, applicationId));
    const gone = ({ applicationId, hour }: RefusalHourRow) =>
      db.delete(hours).where(and(eq(hours.applicationId, applicationId), eq(hours.hour, hour)));
    await pace.run(() => db.transaction(some.flatMap((row) => [left(row), gone(row)])));
    removed += some.length;
  }
  return removed;
}

/** The environment and application of each of these clients; unknown ids are left out. */
export async function placesOfClients(
  db: ReadDb,
  clientIds: readonly string[],
): Promise<Map<string, { environment: string; applicationId: string }>> {
  const { clients } = db.tables;
  const found = new Map<string, { environment: string; applicationId: string }>();
  for (const some of inBatches(clientIds)) {
    const columns = { id: clients.id, environment: clients.environment, applicationId: clients.applicationId };
    for (const { id, ...place } of await db.select(columns).from(clients).where(inArray(clients.id, some)))
      found.set(id, place);
  }
  return found;
}
