import { timeOrderedIdsFrom } from "@gatehouse/auth";
import { readFact } from "@gatehouse/db/facts";
import type { ReadHandle } from "@gatehouse/db/query/handle";
import { BODIES_DELETED_TO } from "@gatehouse/db/stores/webhooks/inbox-retention";
import { deliveryIdsFrom } from "@gatehouse/webhooks";
import { and, gt, isNotNull, lt, sql } from "drizzle-orm";

/** How many rows of the audit log are from before `at` (Unix seconds), at most `limit`. */
export async function countAuditBefore({ db, tables: { audit } }: ReadHandle, at: number, limit: number): Promise<number> {
  const rows = await db
    .select({ one: sql<number>`1` })
    .from(audit)
    .where(lt(audit.id, timeOrderedIdsFrom(at)))
    .limit(limit);
  return rows.length;
}

/** How many deliveries from before `at` (Unix seconds) still have their body, at most `limit`. Looks where no sweep has been yet. */
export async function countBodiesBefore(handle: ReadHandle, at: number, limit: number): Promise<number> {
  const { webhookDeliveries: d } = handle.tables;
  const sweptTo = (await readFact(handle, BODIES_DELETED_TO)) ?? "";
  const rows = await handle.db
    .select({ one: sql<number>`1` })
    .from(d)
    .where(and(gt(d.id, sweptTo), lt(d.id, deliveryIdsFrom(at)), isNotNull(d.body)))
    .limit(limit);
  return rows.length;
}
