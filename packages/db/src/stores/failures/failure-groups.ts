import type { FailureGroup, Refusal } from "@gatehouse/auth";
import { and, desc, eq, inArray, sql } from "drizzle-orm";
import { BATCH, inBatches } from "../../query/batches.ts";
import type { Db, ReadDb, WriteQuery } from "../../query/db.ts";

/** How many rows of the ledger a group keeps: the newest. CO-51. */
export const ROWS_OF_GROUP = 50;

/** Refusals of one group that were counted together. */
export type CountedGroup = FailureGroup & {
  key: string;
  firstAt: number;
  lastAt: number;
  count: number;
  /** By the start of the hour, Unix seconds. */
  hours: ReadonlyMap<number, number>;
  /** Those to keep, at most {@link ROWS_OF_GROUP}. */
  rows: readonly Refusal[];
  /** Whether the group may have more rows now than it keeps. */
  trim: boolean;
};

const TEXT_LIMIT = 1000;
const cut = (text: string) => (text.length > TEXT_LIMIT ? `${text.slice(0, TEXT_LIMIT)}…` : text);
const cutOrNull = (text: string | null) => (text === null ? null : cut(text));

/**
 * Writes refusals and the counts of their groups in one transaction, and those of test runs without a group. A resolved
 * group to which one is added has regressed. Values from requests are truncated.
 */
export async function writeFailures(
  db: Db,
  counted: readonly CountedGroup[],
  ofTestRuns: readonly Refusal[] = [],
): Promise<void> {
  // Sorted, so that two processes lock rows in the same order.
  const groups = counted.toSorted((one, other) => (one.key < other.key ? -1 : 1));
  const hours = groups.flatMap(({ key, hours }) => [...hours].map(([at, count]) => ({ groupKey: key, at, count })));
  const grouped = groups.flatMap(({ key, rows }) => rows.map((refusal) => rowOf(refusal, key)));
  const rows = [...grouped, ...ofTestRuns.map((refusal) => rowOf(refusal, null))];
  await db.transaction([
    ...inBatches(groups).map((some) => groupUpsert(db, some)),
    ...inBatches(hours).map((some) => hourUpsert(db, some)),
    ...inBatches(rows).map((some) => db.insert(db.tables.refusals).values(some).onConflictDoNothing()),
    ...groups.filter(({ trim }) => trim).map(({ key }) => trimWrite(db, key)),
  ]);
}

function rowOf({ uncounted: _, ...refusal }: Refusal, groupKey: string | null) {
  const detail = Object.entries(refusal.detail).map(([key, value]) => [
    key,
    typeof value === "string" ? cut(value) : value,
  ]);
  return {
    ...refusal,
    endpoint: cut(refusal.endpoint),
    message: cut(refusal.message),
    detail: Object.fromEntries(detail) as Refusal["detail"],
    clientId: cutOrNull(refusal.clientId),
    address: cutOrNull(refusal.address),
    userId: typeof refusal.detail["userId"] === "string" ? refusal.detail["userId"] : null,
    groupKey,
  };
}

function groupUpsert(db: Db, groups: readonly CountedGroup[]): WriteQuery {
  const { refusalGroups: g } = db.tables;
  const rows = groups.map(({ key, cause, endpoint, clientId, difference, firstAt, lastAt, count }) => {
    return { key, cause, endpoint, clientId, difference, firstAt, lastAt, count };
  });
  return db
    .upsert(g)
    .values(rows)
    .onConflictDoUpdate({
      target: g.key,
      set: {
        lastAt: sql`case when ${g.lastAt} > excluded.last_at then ${g.lastAt} else excluded.last_at end`,
        count: sql`${g.count} + excluded.count`,
        regressedAt: sql`case when ${g.resolvedAt} is not null then excluded.last_at else ${g.regressedAt} end`,
        resolvedAt: null,
      },
    });
}

function hourUpsert(db: Db, rows: readonly { groupKey: string; at: number; count: number }[]): WriteQuery {
  const { refusalGroupHours: h } = db.tables;
  return db
    .upsert(h)
    .values([...rows])
    .onConflictDoUpdate({ target: [h.groupKey, h.at], set: { count: sql`${h.count} + excluded.count` } });
}

function trimWrite(db: Db, key: string): WriteQuery {
  const { refusals: r } = db.tables;
  const beyond = db
    .select({ id: r.errorId })
    .from(r)
    .where(eq(r.groupKey, key))
    .orderBy(desc(r.groupKey), desc(r.at), desc(r.errorId))
    .limit(BATCH)
    .offset(ROWS_OF_GROUP);
  return db.delete(r).where(and(eq(r.groupKey, key), inArray(r.errorId, beyond)));
}

/** The subset of these ids that are client ids. */
export async function clientsAmong(db: ReadDb, ids: readonly string[]): Promise<Set<string>> {
  const { clients } = db.tables;
  const found = new Set<string>();
  for (const some of inBatches(ids)) {
    for (const { id } of await db.select({ id: clients.id }).from(clients).where(inArray(clients.id, some)))
      found.add(id);
  }
  return found;
}
