import pg from "pg";
import type { Client } from "../migrations/schema-state.ts";
import { changeSchema } from "../postgres/change-schema.ts";
import { listPartitions, type Partition, type Partitions } from "./catalog.ts";
import { partitionsAhead } from "./facts.ts";
import { dropStalePending, listPending } from "./pending.ts";
import { LONGEST, PARTITIONED, type PartitionedName, type PartitionedTable, reachFor, widthFor } from "./tables.ts";

/**
 * What {@link keepPartitions} did, and what it could not do, as sentences. `unowned`: tables that it left alone, because
 * the account does not own them.
 */
export type KeptPartitions = { added: string[]; dropped: string[]; problems: string[]; unowned: string[] };

/**
 * Requests wait behind a lock that this waits for, so it gives up at once and tries again: there is time until the next
 * turn, since partitions are made ahead. Rows of the default partition that belong to a new one are moved meanwhile.
 */
const BRIEFLY = { waitMs: 250, tries: 4, pauseMs: 250, statementMs: 2_000 };
const BLOCKED = "somebody holds a lock on it; the next turn tries again";

/**
 * Makes the partitions that will be needed and drops those whose last row has expired, in all tables that are
 * partitioned. Safe at any time and from several processes, and nothing relies on it: without a partition of their own,
 * rows go to the default one. `now`: {@link safeNow}. OP-35.
 */
export async function keepPartitions(client: Client, now: number): Promise<KeptPartitions> {
  const kept: KeptPartitions = { added: [], dropped: [], problems: [], unowned: [] };
  const attempt = async (what: string, act: () => Promise<unknown>): Promise<boolean> => {
    try {
      await act();
      return true;
    } catch (cause) {
      kept.problems.push(`${what}: ${cause instanceof Error ? cause.message : String(cause)}`);
      return false;
    }
  };
  for (const one of await listPartitions(client)) {
    if (!one.owned) {
      kept.unowned.push(one.table);
      continue;
    }
    for (const partition of missingPartitions(one, now, await reachOf(client, one.table))) {
      if (!(await attempt(partition.name, () => addPartition(client, one.table, partition)))) break;
      kept.added.push(partition.name);
    }
    for (const { name } of deadPartitions(one, now))
      if (await attempt(name, () => dropPartition(client, one.table, name))) kept.dropped.push(name);
  }
  await dropStalePending(client, now, attempt);
  return kept;
}

export const NOTHING_KEPT: KeptPartitions = { added: [], dropped: [], problems: [], unowned: [] };

/** Whether there is anything to keep: a table that is partitioned, or one of which a command was ended in the middle. */
export async function hasPartitions(client: Client): Promise<boolean> {
  return (await listPartitions(client)).length > 0 || (await listPending(client)).length > 0;
}

/** Of this process's clock and the database's the one that is behind: what is dropped is gone. Unix seconds. */
export async function safeNow(client: Client): Promise<number> {
  const { rows } = await client.query<{ now: string }>("SELECT floor(extract(epoch FROM now()))::text AS now");
  return Math.min(Math.floor(Date.now() / 1000), Number(rows[0]?.now));
}

/** How far in the future the time in a new key of `table` can lie now. */
async function reachOf(client: Client, table: PartitionedName): Promise<number> {
  if (PARTITIONED[table].reachSeconds === 0) return 0;
  const { rows } = await client.query<{ longest: string | null }>(
    `SELECT max(${LONGEST})::text AS longest FROM "clients"`,
  );
  return reachFor(table, Number(rows[0]?.longest ?? 0));
}

type Bounded = Partition & { from: string; to: string };

/** Those that lack until as many as should be are ahead of every key of now. */
function missingPartitions({ table, partitions }: Partitions, now: number, reachSeconds: number): Bounded[] {
  const spec: PartitionedTable = PARTITIONED[table];
  const width = widthFor(spec, reachSeconds);
  const last = partitions.at(-1);
  if (last && last.to === null) return [];
  const oldest = startOf(now - spec.keptSeconds, width);
  let from = last?.to == null ? oldest : Math.max(spec.timeOf(last.to), oldest);
  let ahead = partitionsAhead({ table, partitions }, now, reachSeconds);
  const missing: Bounded[] = [];
  while (ahead < spec.ahead) {
    const to = startOf(from, width) + width;
    missing.push({ name: nameOf(table, from), from: spec.keysFrom(from), to: spec.keysFrom(to) });
    if (from > now + reachSeconds) ahead += 1;
    from = to;
  }
  return missing;
}

const startOf = (seconds: number, width: number) => seconds - (seconds % width);

/** By its first hour in UTC: `access_tokens_2026112814`. */
const nameOf = (table: string, from: number) =>
  `${table}_${new Date(from * 1000).toISOString().slice(0, 13).replaceAll(/\D/g, "")}`;

/** Those without a live row. */
function deadPartitions({ table, partitions }: Partitions, now: number): Partition[] {
  const { keysFrom, keptSeconds }: PartitionedTable = PARTITIONED[table];
  const end = keysFrom(now - keptSeconds);
  return partitions.filter(({ to }) => to !== null && to <= end);
}

const quoted = pg.escapeIdentifier;

/**
 * Creates a table as the others are and attaches it, which stops neither reads nor writes, but for those of the default
 * partition. Rows there that belong to the new partition are moved: PostgreSQL attaches none otherwise.
 */
async function addPartition(client: Client, table: PartitionedName, { name, from, to }: Bounded): Promise<void> {
  const { key } = PARTITIONED[table];
  const range = `${quoted(key)} >= ${pg.escapeLiteral(from)} AND ${quoted(key)} < ${pg.escapeLiteral(to)}`;
  const stray = quoted(defaultOf(table));
  await changeSchema(client, { ...BRIEFLY, blocked: BLOCKED }, async () => {
    const current = (await listPartitions(client)).find((one) => one.table === table);
    if (current?.partitions.some((one) => one.name === name)) return; // another process was faster
    await asOwner(client, table);
    const settings = await storageOf(client, table);
    await client.query(`CREATE TABLE ${quoted(name)} (LIKE ${quoted(table)} INCLUDING ALL)${settings}`);
    await client.query(`LOCK TABLE ${stray} IN ACCESS EXCLUSIVE MODE`);
    const found = await client.query(`SELECT 1 FROM ${stray} WHERE ${range} LIMIT 1`);
    if (found.rows.length > 0)
      await client.query(
        `WITH moved AS (DELETE FROM ${stray} WHERE ${range} RETURNING *) INSERT INTO ${quoted(name)} SELECT * FROM moved`,
      );
    await client.query(
      `ALTER TABLE ${quoted(table)} ATTACH PARTITION ${quoted(name)} FOR VALUES FROM (${pg.escapeLiteral(from)}) TO (${pg.escapeLiteral(to)})`,
    );
  });
}

async function dropPartition(client: Client, table: PartitionedName, name: string): Promise<void> {
  await changeSchema(client, { ...BRIEFLY, blocked: BLOCKED }, async () => {
    await asOwner(client, table);
    await client.query(`DROP TABLE IF EXISTS ${quoted(name)}`);
  });
}

export const defaultOf = (table: string): string => `${table}_default`;

/** What the transaction creates belongs to the owner of the table, also if a superuser runs it. */
async function asOwner(client: Client, table: string): Promise<void> {
  const { rows } = await client.query<{ owner: string }>(
    "SELECT pg_get_userbyid(relowner)::text AS owner FROM pg_class WHERE oid = to_regclass($1)",
    [quoted(table)],
  );
  if (rows[0]) await client.query(`SET LOCAL ROLE ${quoted(rows[0].owner)}`);
}

/** The storage parameters of the default partition, for a new one: `LIKE` leaves them out. */
async function storageOf(client: Client, table: string): Promise<string> {
  const { rows } = await client.query<{ settings: string[] | null }>(
    "SELECT reloptions AS settings FROM pg_class WHERE oid = to_regclass($1)",
    [quoted(defaultOf(table))],
  );
  return withSettings(rows[0]?.settings ?? null);
}

export const withSettings = (settings: readonly string[] | null): string =>
  settings === null || settings.length === 0 ? "" : ` WITH (${settings.join(", ")})`;
