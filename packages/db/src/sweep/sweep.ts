import { TYPED_EMAIL_SECONDS } from "@gatehouse/accounts";
import { timeOrderedIdsFrom } from "@gatehouse/auth";
import { getTableName } from "drizzle-orm";
import { readPartitions } from "../partitions/catalog.ts";
import { sweptPartitions } from "../partitions/due.ts";
import type { Db } from "../query/db.ts";
import { forgetTypedEmails } from "../stores/accounts/sign-in-rows.ts";
import { deleteExpiredBlocks } from "../stores/auth/client-blocks.ts";
import { deleteUnusedClients } from "../stores/auth/unused-clients.ts";
import { sweepUsage } from "../stores/stats/usage-writes.ts";
import { type CrowdLimits, deadCrowds } from "./crowds.ts";
import type { DeadRows } from "./dead-rows.ts";
import { deleteDead } from "./delete-dead.ts";
import { deadRows } from "./expired-rows.ts";
import { type Pace, UNPACED } from "./pace.ts";
import { deadAccountRows } from "./sweep-accounts.ts";

/** Of one table, before the next table has its turn: none waits while another one has a great number of dead rows. */
const ROUND_ROWS = 100_000;

/** How many rows were deleted, by table. */
export type Swept = Record<string, number>;

export type SweepOptions = CrowdLimits & {
  /** Also deletes accounts that were never verified. */
  mailWorks?: boolean;
  pace?: Pace;
  /** Called with the rows that a statement or a few deleted from a table. */
  onSwept?: (table: string, rows: number) => void;
};

/**
 * Deletes rows that no longer matter, in small statements so that no other write waits long, until nothing is due or
 * the process stops. Safe at any time and from several processes. `sweepInbox` deletes webhook events and accepted
 * deliveries. Nothing relies on it: an expired row is rejected whether it was deleted or not. OP-36.
 */
export async function sweep(db: Db, now: number, options: SweepOptions = {}): Promise<Swept> {
  const { pace = UNPACED, mailWorks = false, onSwept } = options;
  const swept: Swept = { [getTableName(db.tables.webhookDeliveries)]: 0 };
  const add = (table: string, rows: number) => {
    swept[table] = (swept[table] ?? 0) + rows;
    if (rows > 0) onSwept?.(table, rows);
  };
  async function deleteAll(dead: readonly DeadRows[]): Promise<boolean> {
    let finished = true;
    for (const one of dead) {
      const deleted = await deleteDead(db, one, ROUND_ROWS, pace);
      add(getTableName(one.table), deleted.rows);
      finished &&= deleted.finished;
    }
    return finished;
  }

  for (let finished = false; !finished && !pace.stopped; ) {
    finished = await deleteAll(deadRows(db, now, sweptPartitions(await readPartitions(db, db), now)));
    finished = (await deleteAll(await deadCrowds(db, now, options))) && finished;
    finished = (await deleteAll(deadAccountRows(db, now, { mailWorks }))) && finished;
  }
  if (pace.stopped) return swept;
  add("client_blocks", await pace.run(() => deleteExpiredBlocks(db, now)));
  add("applications", await deleteUnusedClients(db, now, pace));
  for (const [table, rows] of Object.entries(await sweepUsage(db, now, pace))) add(table, rows);
  await forgetTypedEmails(db, timeOrderedIdsFrom(now - TYPED_EMAIL_SECONDS), pace);
  if (db.versions.sweep) add("cache_changes", await db.versions.sweep());
  return swept;
}
