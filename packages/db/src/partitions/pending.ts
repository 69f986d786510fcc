import pg from "pg";
import type { Client } from "../migrations/schema-state.ts";
import { changeSchema } from "../postgres/change-schema.ts";
import { PARTITIONED, PARTITIONED_NAMES, type PartitionedName, type PartitionedTable } from "./tables.ts";

const DAY = 86_400;
/** How far beyond every key of now the first partition ends. */
const ROOM_SECONDS = 2 * DAY;

/**
 * A table that is being partitioned has this constraint: no key of it is `end` or above. It makes the table fit as the
 * first partition without looking at its rows again.
 */
export type Pending = { table: PartitionedName; end: string; validated: boolean; owned: boolean };

export const pendingName = (table: string): string => `${table}_first_keys`;

/** The tables with that constraint: `partitionTables` is at work on them, or was ended in the middle. */
export async function listPending(client: Client): Promise<Pending[]> {
  const { rows } = await client.query<{ table: PartitionedName; text: string; validated: boolean; owned: boolean }>(
    `SELECT t.relname::text AS "table", pg_get_constraintdef(c.oid) AS "text", c.convalidated AS "validated",
       pg_has_role(t.relowner, 'USAGE') AS "owned"
     FROM pg_constraint c JOIN pg_class t ON t.oid = c.conrelid
     WHERE t.relkind = 'r' AND t.relnamespace = current_schema()::regnamespace AND c.contype = 'c'
       AND t.relname = ANY($1) AND c.conname = t.relname || '_first_keys'`,
    [PARTITIONED_NAMES],
  );
  return rows.flatMap(({ text, ...row }) => {
    const end = /< '([^']+)'/.exec(text)?.[1];
    return end === undefined ? [] : [{ ...row, end }];
  });
}

/** Where the first partition ends: a whole day, at least two after every key that a right clock makes now. */
export function endOfFirst(table: PartitionedName, now: number): string {
  const { reachSeconds, keysFrom }: PartitionedTable = PARTITIONED[table];
  const least = now + reachSeconds + ROOM_SECONDS;
  return keysFrom(least - (least % DAY) + DAY);
}

/** Whether rows can soon reach the end: the command was ended days ago, and its constraint would refuse them. */
export function isStale({ table, end }: Pending, now: number): boolean {
  const { reachSeconds, timeOf }: PartitionedTable = PARTITIONED[table];
  return timeOf(end) < now + reachSeconds + DAY;
}

export async function dropPending(client: Client, table: PartitionedName): Promise<void> {
  await changeSchema(client, { blocked: `${table} is locked by somebody` }, () =>
    client.query(
      `ALTER TABLE ${pg.escapeIdentifier(table)} DROP CONSTRAINT IF EXISTS ${pg.escapeIdentifier(pendingName(table))}`,
    ),
  );
}

/** Drops the constraint of a command that nobody ran again, before it refuses a row. */
export async function dropStalePending(
  client: Client,
  now: number,
  attempt: (what: string, act: () => Promise<unknown>) => Promise<boolean>,
): Promise<void> {
  for (const pending of await listPending(client))
    if (pending.owned && isStale(pending, now))
      await attempt(pendingName(pending.table), () => dropPending(client, pending.table));
}
