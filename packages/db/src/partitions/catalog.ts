import { sql } from "drizzle-orm";
import type { Client } from "../migrations/schema-state.ts";
import type { Db, ReadDb } from "../query/db.ts";
import { PARTITIONED_NAMES, type PartitionedName } from "./tables.ts";

/** The keys from `from`, inclusive, to `to`, exclusive; null is without a bound. */
export type Partition = { name: string; from: string | null; to: string | null };

/** A table that is partitioned, with its partitions but the default one, in the order of their keys. */
export type Partitions = {
  table: PartitionedName;
  /** Whether the account can add and drop partitions. */
  owned: boolean;
  partitions: readonly Partition[];
};

type Row = { table: string; owned: boolean; name: string; bound: string };

const NAMES = PARTITIONED_NAMES.map((name) => `'${name}'`).join(", ");

const PARTITIONS = `SELECT p.relname::text AS "table", pg_has_role(p.relowner, 'USAGE') AS "owned", c.relname::text AS "name",
    pg_get_expr(c.relpartbound, c.oid) AS "bound"
  FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid JOIN pg_class p ON p.oid = i.inhparent
  WHERE p.relkind = 'p' AND p.relnamespace = current_schema()::regnamespace AND p.relname IN (${NAMES})`;

/** The tables that are partitioned, over a connection of its own. */
export async function listPartitions(client: Client): Promise<Partitions[]> {
  return byTable((await client.query<Row>(PARTITIONS)).rows);
}

/** The tables that are partitioned; none on SQLite, which has no partitions. */
export async function readPartitions(db: Pick<Db, "dialect">, reads: Pick<ReadDb, "select">): Promise<Partitions[]> {
  if (db.dialect !== "postgres") return [];
  const column = <Value>(name: string) => sql<Value>`${sql.identifier(name)}`;
  const rows = await reads
    .select({
      table: column<string>("table"),
      owned: column<boolean>("owned"),
      name: column<string>("name"),
      bound: column<string>("bound"),
    })
    .from(sql.raw(`(${PARTITIONS}) AS found`));
  return byTable(rows);
}

function byTable(rows: readonly Row[]): Partitions[] {
  return PARTITIONED_NAMES.flatMap((table) => {
    const own = rows.filter((row) => row.table === table);
    const [first] = own;
    if (!first) return [];
    const partitions = own.flatMap(({ name, bound }) => {
      const [, from, to] = /^FOR VALUES FROM \((.+)\) TO \((.+)\)$/.exec(bound) ?? [];
      return from === undefined || to === undefined ? [] : [{ name, from: keyOf(from), to: keyOf(to) }];
    });
    return [{ table, owned: first.owned, partitions: partitions.toSorted(byKeys) }];
  });
}

/** Keys have no quotes. */
const keyOf = (bound: string) => (/^'(.*)'$/.exec(bound) ?? [])[1] ?? null;
const byKeys = (one: Partition, other: Partition) => ((one.from ?? "") < (other.from ?? "") ? -1 : 1);
