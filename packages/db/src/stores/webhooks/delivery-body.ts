import { and, eq, inArray, isNotNull, notExists, type SQL, sql } from "drizzle-orm";
import type { PgColumn } from "drizzle-orm/pg-core";
import type { Db, ReadDb, WriteQuery } from "../../query/db.ts";
import { isOpen } from "../../schema/index-conditions.ts";

/** The events that a delivery brought and that handlers still have to handle: they read its body. */
export function unhandledEvents(db: ReadDb, deliveryId: PgColumn | string) {
  const { webhookEvents: e } = db.tables;
  return db
    .select({ one: sql<number>`1` })
    .from(e)
    .where(and(isOpen(e), inArray(e.state, ["pending", "failed"]), eq(e.deliveryId, deliveryId)));
}

/** Whether handlers still have to read the body of a delivery. */
export async function isBodyNeeded(db: ReadDb, id: string): Promise<boolean> {
  return (await unhandledEvents(db, id).limit(1)).length > 0;
}

/**
 * Deletes the stored body of a delivery; returns no row if it is gone already, or still needed. An event that is
 * handled is never unhandled again, so the condition needs no lock.
 */
export function bodyDeletion(db: Db, id: string): WriteQuery {
  const { webhookDeliveries: d } = db.tables;
  const unneeded: SQL = notExists(unhandledEvents(db, d.id));
  return db
    .update(d)
    .set({ body: null })
    .where(and(eq(d.id, id), isNotNull(d.body), unneeded))
    .returning({ id: d.id });
}
