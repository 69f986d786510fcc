import pg from "pg";
import type { Client } from "./schema-state.ts";
import type { Step } from "./steps.ts";

export type IndexStep = Extract<Step, { kind: "index" }>;

const quoted = pg.escapeIdentifier;

/**
 * PostgreSQL builds no index of a partitioned table CONCURRENTLY, but one of each partition. Returns these steps for
 * the partitions that lack it, each to be followed by {@link attachIndex}; undefined if the table has no partitions.
 * The index of the table itself, without rows, is created here if it is missing: a new partition has it from then on,
 * and it is valid with that of the last partition.
 */
export async function indexOfPartitions(client: Client, step: IndexStep): Promise<IndexStep[] | undefined> {
  const { rows } = await client.query<{ exists: boolean; partition: string; indexed: boolean }>(
    `SELECT to_regclass($2) IS NOT NULL AS "exists", c.relname::text AS "partition", EXISTS (
        SELECT 1 FROM pg_index i JOIN pg_inherits h ON h.inhrelid = i.indexrelid
        WHERE i.indrelid = c.oid AND h.inhparent = to_regclass($2)) AS "indexed"
     FROM pg_class p JOIN pg_inherits t ON t.inhparent = p.oid JOIN pg_class c ON c.oid = t.inhrelid
     WHERE p.oid = to_regclass($1) AND p.relkind = 'p' ORDER BY 2`,
    [quoted(step.table), quoted(step.index)],
  );
  const [first] = rows;
  if (!first) return undefined;
  if (!first.exists) await client.query(step.statement.replace(/ concurrently/i, "").replace(/ on /i, " ON ONLY "));
  return rows.filter(({ indexed }) => !indexed).map(({ partition }) => stepOf(step, partition));
}

function stepOf({ kind, statement, index, table }: IndexStep, partition: string): IndexStep {
  const own = `${partition.slice(-30)}_${index.slice(-32)}`; // at most 63 characters
  const sql = statement.replace(quoted(index), quoted(own)).replace(` ${quoted(table)}`, ` ${quoted(partition)}`);
  return { kind, statement: sql, index: own, table: partition };
}

export const attachIndex = (parent: IndexStep, { index }: IndexStep): string =>
  `ALTER INDEX ${quoted(parent.index)} ATTACH PARTITION ${quoted(index)}`;
