import pg from "pg";
import { SchemaError } from "../migrations/plan.ts";
import type { Client } from "../migrations/schema-state.ts";
import { changeSchema } from "../postgres/change-schema.ts";
import { listPartitions } from "./catalog.ts";
import { obstaclesOf } from "./obstacles.ts";
import { dropPending, endOfFirst, isStale, listPending, type Pending, pendingName } from "./pending.ts";
import { swapStatements } from "./swap.ts";
import { PARTITIONED, type PartitionedName } from "./tables.ts";

/** One table: what would be done, as SQL; nothing for one that is partitioned. `obstacles`: why it cannot be. */
export type PartitionPlan = { table: PartitionedName; statements: string[]; obstacles: string[] };

const quoted = pg.escapeIdentifier;
const BLOCKED =
  "somebody held a lock on the table in each of ten tries of two seconds. Look for a long transaction (pg_stat_activity), end it, and run the command again: it continues.";

/** What {@link partitionTable} would do now. Changes nothing, and locks nothing. */
export async function planPartitions(client: Client, table: PartitionedName, now: number): Promise<PartitionPlan> {
  if (await isPartitioned(client, table)) return { table, statements: [], obstacles: [] };
  const pending = await pendingOf(client, table);
  const end = pending && !isStale(pending, now) ? pending.end : endOfFirst(table, now);
  const statements = [addCheck(table, end), validateCheck(table), ...(await swapStatements(client, table, end))];
  return { table, statements, obstacles: await obstaclesOf(client, table, end) };
}

/**
 * Makes a partitioned table of `table`, which becomes its first partition with all its rows. Reads and writes go on: a
 * lock that stops them is taken twice, for some milliseconds, and no try waits for it longer than two seconds. The long
 * part reads the table once and stops nobody. A run that was ended is continued by the next one. `now`: Unix seconds.
 * Returns false if the table was partitioned already. Throws SchemaError if it cannot be. OP-35.
 */
export async function partitionTable(
  client: Client,
  table: PartitionedName,
  now: number,
  report: (step: string) => void = () => {},
): Promise<boolean> {
  if (await isPartitioned(client, table)) return false;
  const bound = await boundKeys(client, table, now);
  if (bound === undefined) return false;
  const { end, validated } = bound;
  if (!validated) {
    report(`${table}: reading all rows, while servers go on`);
    await changeSchema(client, { blocked: BLOCKED }, async () => {
      const found = await pendingOf(client, table);
      if (found && !found.validated) await client.query(validateCheck(table)); // otherwise another command did it
    });
  }
  report(`${table}: making it the first partition`);
  return changeSchema(client, { blocked: BLOCKED }, async () => {
    if (await isPartitioned(client, table)) return false;
    await client.query(`LOCK TABLE ${quoted(table)} IN ACCESS EXCLUSIVE MODE`);
    refuse(table, await obstaclesOf(client, table, end));
    for (const statement of await swapStatements(client, table, end)) await client.query(statement);
    return true;
  });
}

/**
 * Keys are below the end of the first partition from now on; a constraint of an earlier run is used if it can be.
 * Undefined if another command was faster: on a partitioned table the constraint would refuse later rows.
 */
async function boundKeys(client: Client, table: PartitionedName, now: number): Promise<Pending | undefined> {
  const pending = await pendingOf(client, table);
  if (pending && !isStale(pending, now)) return pending;
  if (pending) await dropPending(client, table);
  const end = endOfFirst(table, now);
  refuse(table, await obstaclesOf(client, table, end));
  return changeSchema(client, { blocked: BLOCKED }, async () => {
    if (await isPartitioned(client, table)) return undefined;
    const other = await pendingOf(client, table); // of a command that runs at the same time
    if (other) return other;
    await client.query(addCheck(table, end));
    return { table, end, validated: false, owned: true };
  });
}

const pendingOf = async (client: Client, table: PartitionedName) =>
  (await listPending(client)).find((one) => one.table === table);

function refuse(table: string, obstacles: readonly string[]): void {
  if (obstacles.length > 0) throw new SchemaError(`${table} cannot be partitioned: ${obstacles.join(" ")}`);
}

const addCheck = (table: PartitionedName, end: string) =>
  `ALTER TABLE ${quoted(table)} ADD CONSTRAINT ${quoted(pendingName(table))} CHECK (${quoted(PARTITIONED[table].key)} < ${pg.escapeLiteral(end)}) NOT VALID`;

const validateCheck = (table: PartitionedName) =>
  `ALTER TABLE ${quoted(table)} VALIDATE CONSTRAINT ${quoted(pendingName(table))}`;

const isPartitioned = async (client: Client, table: string) =>
  (await listPartitions(client)).some((one) => one.table === table);
