import { timeOrderedIdsFrom } from "@gatehouse/auth";
import { readFact } from "@gatehouse/db/facts";
import type { ReadDb } from "@gatehouse/db/query/db";
import { BODIES_DELETED_TO } from "@gatehouse/db/stores/webhooks/inbox-retention";
import { deliveryIdsFrom } from "@gatehouse/webhooks";
import { and, gt, isNotNull, lt, sql } from "drizzle-orm";

/** How many rows of the audit log are from before `at` (Unix seconds), at most `limit`. */
export async function countAuditBefore(db: ReadDb, at: number, limit: number): Promise<number> {
  const { audit } = db.tables;
  const rows = await db
    .select({ one: sql<number>`1` })
    .from(audit)
    .where(lt(audit.id, timeOrderedIdsFrom(at)))
    .limit(limit);
  return rows.length;
}

/** How many attempts to sign in are from before `at` (Unix seconds), at most `limit`. */
export async function countSignInsBefore(db: ReadDb, at: number, limit: number): Promise<number> {
  const { signIns } = db.tables;
  const rows = await db
    .select({ one: sql<number>`1` })
    .from(signIns)
    .where(lt(signIns.id, timeOrderedIdsFrom(at)))
    .limit(limit);
  return rows.length;
}

/**
 * How many deliveries from before `at` (Unix seconds) still have their body, at most `limit`. Looks where no sweep has
 * been yet.
 */
export async function countBodiesBefore(db: ReadDb, at: number, limit: number): Promise<number> {
  const { webhookDeliveries: d } = db.tables;
  const sweptTo = (await readFact(db, BODIES_DELETED_TO)) ?? "";
  const rows = await db
    .select({ one: sql<number>`1` })
    .from(d)
    .where(and(gt(d.id, sweptTo), lt(d.id, deliveryIdsFrom(at)), isNotNull(d.body)))
    .limit(limit);
  return rows.length;
}
