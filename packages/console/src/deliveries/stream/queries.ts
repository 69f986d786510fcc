import type { ReadDb } from "@gatehouse/db/query/db";
import { asc, eq, gt, inArray } from "drizzle-orm";

/** The ids and endpoints of the deliveries after this id, oldest first. */
export function listDeliveriesAfter(db: ReadDb, id: string, limit: number) {
  const { webhookDeliveries: d } = db.tables;
  return db.select({ id: d.id, endpoint: d.endpoint }).from(d).where(gt(d.id, id)).orderBy(asc(d.id)).limit(limit);
}

/** These deliveries with their headers, oldest first. Bodies are read one by one. */
export function findDeliveries(db: ReadDb, ids: readonly string[]) {
  const { webhookDeliveries: d, webhookEndpoints: e } = db.tables;
  return db
    .select({
      id: d.id,
      endpoint: d.endpoint,
      provider: e.provider,
      environment: d.environment,
      outcome: d.outcome,
      reason: d.reason,
      receivedAt: d.receivedAt,
      eventType: d.eventType,
      eventId: d.eventId,
      eventKey: d.eventKey,
      headers: d.headers,
    })
    .from(d)
    .leftJoin(e, eq(e.slug, d.endpoint))
    .where(inArray(d.id, [...ids]))
    .orderBy(asc(d.id));
}

/** The body of a delivery; null if it has been deleted. */
export async function findDeliveryBody(db: ReadDb, id: string): Promise<Uint8Array | null> {
  const { webhookDeliveries: d } = db.tables;
  const [row] = await db.select({ body: d.body }).from(d).where(eq(d.id, id));
  return row?.body ?? null;
}
