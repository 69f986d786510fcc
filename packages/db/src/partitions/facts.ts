import { count, gte, lt, or, sql } from "drizzle-orm";
import type { Db, ReadDb } from "../query/db.ts";
import type { Partition, Partitions } from "./catalog.ts";
import { LONGEST, PARTITIONED, type PartitionedName, type PartitionedTable, reachFor } from "./tables.ts";

/** What an operator has to know of a partitioned table. */
export type PartitionFacts = {
  table: PartitionedName;
  /** How many partitions are ahead of every key of now; below {@link PartitionedTable.ahead} if nobody makes them. */
  ahead: number;
  /** Rows of the default partition, which a clock that is wrong by hours or days makes; at most 100,000 are counted. */
  strayRows: number;
};

/** Counting more would take longer than anybody wants to wait. */
const MOST_COUNTED = 100_000;

/** Reads a bounded number of rows of each table, and the lifetimes of the clients. */
export async function partitionFacts(
  db: Db,
  reads: ReadDb,
  partitioned: readonly Partitions[],
  now: number,
): Promise<PartitionFacts[]> {
  if (partitioned.length === 0) return [];
  const [lifetimes] = await db
    .select({ longest: sql<number | null>`max(${sql.raw(LONGEST)})` })
    .from(db.tables.clients);
  return Promise.all(
    partitioned.map(async ({ table, partitions }) => ({
      table,
      ahead: partitionsAhead({ table, partitions }, now, reachFor(table, lifetimes?.longest ?? 0)),
      strayRows: await countStrayRows(reads, table, partitions),
    })),
  );
}

/** How many partitions have no key of now. */
export function partitionsAhead(
  { table, partitions }: Pick<Partitions, "table" | "partitions">,
  now: number,
  reachSeconds: number,
): number {
  const { timeOf }: PartitionedTable = PARTITIONED[table];
  return partitions.filter(({ from }) => from !== null && timeOf(from) > now + reachSeconds).length;
}

/** Rows with keys that no other partition has: asked of the table, as the server may not be allowed to read its parts. */
async function countStrayRows(reads: ReadDb, name: PartitionedName, partitions: readonly Partition[]): Promise<number> {
  const { accessTokens, authorizationCodes, webhookDeliveries } = reads.tables;
  const keys = {
    access_tokens: accessTokens.hash,
    authorization_codes: authorizationCodes.hash,
    webhook_deliveries: webhookDeliveries.id,
  };
  const key = keys[name];
  const from = partitions.at(0)?.from ?? null;
  const to = partitions.at(-1)?.to ?? null;
  const outside = or(from === null ? undefined : lt(key, from), to === null ? undefined : gte(key, to));
  const rows = reads.select({ key }).from(key.table).where(outside).limit(MOST_COUNTED).as("stray");
  const [counted] = await reads.select({ rows: count() }).from(rows);
  return counted?.rows ?? 0;
}
