import type { ReadDb } from "@gatehouse/db/query/db";
import { desc, eq, isNotNull, sql } from "drizzle-orm";

const RECENT = 5_000;

/**
 * Endpoints, providers and event types of the latest deliveries, for the filters; older ones can still be filtered by
 * name.
 */
export async function deliveryFacetRows(db: ReadDb) {
  const { webhookDeliveries: d, webhookEndpoints: e } = db.tables;
  const recent = db
    .select({ endpoint: d.endpoint, eventType: d.eventType })
    .from(d)
    .orderBy(desc(d.id))
    .limit(RECENT)
    .as("recent");
  const provider = sql<string>`coalesce(${e.provider}, ${recent.endpoint})`;
  const [endpoints, eventTypes] = await Promise.all([
    db.selectDistinct({ endpoint: recent.endpoint, provider }).from(recent).leftJoin(e, eq(e.slug, recent.endpoint)),
    db.selectDistinct({ eventType: recent.eventType }).from(recent).where(isNotNull(recent.eventType)),
  ]);
  return {
    endpoints: endpoints.map((row) => row.endpoint),
    providers: endpoints.map((row) => row.provider),
    eventTypes: eventTypes.flatMap((row) => row.eventType ?? []).sort(),
  };
}
