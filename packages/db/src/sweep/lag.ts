import { asc, getTableName, isNotNull, lt } from "drizzle-orm";
import type { Partitions } from "../partitions/catalog.ts";
import { sweptPartitions } from "../partitions/due.ts";
import type { ReadDb } from "../query/db.ts";
import type { ExpiredRows, OldKeys } from "./dead-rows.ts";
import { deadRows } from "./expired-rows.ts";

/**
 * For how many seconds the oldest dead row of each table has been due for the sweeper, or its oldest partition to be
 * dropped; 0 if none is. One look at an index for each table. OP-36.
 */
export async function sweepLag(
  db: ReadDb,
  now: number,
  partitioned: readonly Partitions[] = [],
): Promise<Record<string, number>> {
  const partitions = sweptPartitions(partitioned, now);
  const lag: Record<string, number> = {};
  for (const [table, { dueSeconds }] of Object.entries(partitions)) lag[table] = Math.max(0, dueSeconds);
  for (const dead of deadRows(db, now, partitions)) {
    if (dead.kind === "matching") continue;
    const due = dead.kind === "expired" ? await dueForExpired(db, dead) : await dueForKeys(db, dead);
    const table = getTableName(dead.table);
    lag[table] = Math.max(lag[table] ?? 0, Math.floor(due));
  }
  return lag;
}

async function dueForExpired(db: ReadDb, { table, time, until, unit }: ExpiredRows): Promise<number> {
  const [first] = await db.select({ time }).from(table).where(isNotNull(time)).orderBy(asc(time)).limit(1);
  if (!first) return 0;
  return (until - Number(first.time)) / (unit === "milliseconds" ? 1000 : 1);
}

/** Keys of the second of `end` are not dead yet. */
async function dueForKeys(db: ReadDb, { table, key, end, below, timeOf }: OldKeys): Promise<number> {
  const swept = below === undefined ? undefined : lt(key, below);
  const [first] = await db.select({ key }).from(table).where(swept).orderBy(asc(key)).limit(1);
  return first ? timeOf(end) - timeOf(String(first.key)) : 0;
}
