import { isPostgres } from "../database.ts";
import { SchemaError } from "../migrations/plan.ts";
import type { Client } from "../migrations/schema-state.ts";
import { connectPostgres } from "../postgres/connect.ts";
import { listPartitions } from "./catalog.ts";
import { type PartitionPlan, partitionTable, planPartitions } from "./convert.ts";
import { defaultOf, type KeptPartitions, keepPartitions, safeNow } from "./keep.ts";
import { PARTITIONED, type PartitionedName, type PartitionedTable } from "./tables.ts";

/** A partition with its size. `from`, `to`: Unix seconds; null is without a bound, and both are for the default one. */
export type PartitionSize = { name: string; from: number | null; to: number | null; rows: number; bytes: number };
export type PartitionedSize = { table: PartitionedName; partitions: PartitionSize[] };

/** Makes partitioned tables of these, and the partitions that they need now. Returns those that were not before. */
export async function partitionTables(
  url: string,
  tables: readonly PartitionedName[],
  report: (step: string) => void,
): Promise<{ partitioned: PartitionedName[]; kept: KeptPartitions }> {
  return onPostgres(url, async (client) => {
    const now = await safeNow(client);
    const partitioned: PartitionedName[] = [];
    for (const table of tables) if (await partitionTable(client, table, now, report)) partitioned.push(table);
    return { partitioned, kept: await keepPartitions(client, now) };
  });
}

/** What {@link partitionTables} would do. */
export async function previewPartitions(url: string, tables: readonly PartitionedName[]): Promise<PartitionPlan[]> {
  return onPostgres(url, async (client) => {
    const plans: PartitionPlan[] = [];
    for (const table of tables) plans.push(await planPartitions(client, table, await safeNow(client)));
    return plans;
  });
}

/** As `keepPartitions`. */
export async function keepAll(url: string): Promise<KeptPartitions> {
  return onPostgres(url, async (client) => keepPartitions(client, await safeNow(client)));
}

/** The tables that are partitioned, with the size of each partition; rows are the planner's estimate. */
export async function sizePartitions(url: string): Promise<PartitionedSize[]> {
  return onPostgres(url, async (client) => {
    const sizes: PartitionedSize[] = [];
    for (const { table, partitions } of await listPartitions(client)) {
      const { timeOf }: PartitionedTable = PARTITIONED[table];
      const all = [...partitions, { name: defaultOf(table), from: null, to: null }];
      const { rows } = await client.query<{ name: string; rows: number; bytes: number }>(
        `SELECT relname::text AS name, greatest(reltuples, 0)::float8 AS rows, pg_total_relation_size(oid)::float8 AS bytes
         FROM pg_class WHERE relnamespace = current_schema()::regnamespace AND relname = ANY($1)`,
        [all.map(({ name }) => name)],
      );
      const time = (key: string | null) => (key === null ? null : timeOf(key));
      sizes.push({
        table,
        partitions: all.map(({ name, from, to }) => ({
          name,
          from: time(from),
          to: time(to),
          rows: rows.find((row) => row.name === name)?.rows ?? 0,
          bytes: rows.find((row) => row.name === name)?.bytes ?? 0,
        })),
      });
    }
    return sizes;
  });
}

async function onPostgres<Result>(url: string, work: (client: Client) => Promise<Result>): Promise<Result> {
  if (!isPostgres(url)) throw new SchemaError("SQLite has no partitions: they are for PostgreSQL.");
  return connectPostgres(url, work);
}
