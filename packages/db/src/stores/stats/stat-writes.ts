import type { DeliveryReason } from "@gatehouse/webhooks";
import { and, eq, isNull, lt, or, sql } from "drizzle-orm";
import { inBatches } from "../../query/batches.ts";
import type { Db, WriteQuery } from "../../query/db.ts";
import { type UsageRows, usageWrites } from "./usage-writes.ts";

/** A count of the table's unit of time that starts at `at`, Unix seconds. `environment` is empty if it has none. */
export type StatRow = { at: number; environment: string; metric: string; key: string; count: number };

/** When an endpoint last accepted or rejected a delivery, Unix seconds. */
export type EndpointUse = {
  slug: string;
  acceptedAt: number | null;
  refused: { at: number; reason: DeliveryReason } | null;
};

export type StatChanges = {
  hours: readonly StatRow[];
  days: readonly StatRow[];
  endpoints: readonly EndpointUse[];
  /** When each secret last verified a delivery, Unix seconds. */
  secrets: readonly { id: string; at: number }[];
  usage: UsageRows;
};

/** Adds counts and times of use, all or nothing. Times never go back. */
export async function addStats(db: Db, changes: StatChanges): Promise<void> {
  const { statHour, statDay } = db.tables;
  await db.transaction([
    ...sortedBatches(changes.hours).map((rows) => addCounts(db, statHour, rows)),
    ...sortedBatches(changes.days).map((rows) => addCounts(db, statDay, rows)),
    ...changes.endpoints.flatMap((use) => endpointWrites(db, use)),
    ...changes.secrets.map((secret) => secretWrite(db, secret)),
    ...usageWrites(db, changes.usage),
  ]);
}

/** Sorted, so that two processes lock rows in the same order. */
function sortedBatches(rows: readonly StatRow[]): StatRow[][] {
  const keyOf = ({ at, environment, metric, key }: StatRow) => `${at} ${environment} ${metric} ${key}`;
  const sorted = rows.toSorted((one, other) => (keyOf(one) < keyOf(other) ? -1 : 1));
  return inBatches(sorted);
}

function addCounts(db: Db, stat: Db["tables"]["statHour" | "statDay"], rows: StatRow[]): WriteQuery {
  return db
    .upsert(stat)
    .values(rows)
    .onConflictDoUpdate({
      target: [stat.at, stat.environment, stat.metric, stat.key],
      set: { count: sql`${stat.count} + excluded.count` },
    });
}

function endpointWrites(db: Db, { slug, acceptedAt, refused }: EndpointUse): WriteQuery[] {
  const { webhookEndpoints: e } = db.tables;
  const accepted =
    acceptedAt !== null &&
    db
      .update(e)
      .set({ lastAcceptedAt: acceptedAt })
      .where(and(eq(e.slug, slug), or(isNull(e.lastAcceptedAt), lt(e.lastAcceptedAt, acceptedAt))));
  const rejected =
    refused !== null &&
    db
      .update(e)
      .set({ lastRefusedAt: refused.at, lastRefusedReason: refused.reason })
      .where(and(eq(e.slug, slug), or(isNull(e.lastRefusedAt), lt(e.lastRefusedAt, refused.at))));
  return [accepted, rejected].filter((write) => write !== false);
}

function secretWrite(db: Db, { id, at }: StatChanges["secrets"][number]): WriteQuery {
  const { webhookSecrets: s } = db.tables;
  return db
    .update(s)
    .set({ lastMatchedAt: at })
    .where(and(eq(s.id, id), or(isNull(s.lastMatchedAt), lt(s.lastMatchedAt, at))));
}
