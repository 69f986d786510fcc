import type { ReadDb } from "@gatehouse/db/query/db";
import { inArray } from "drizzle-orm";

/** Headers and bodies, by id. The body is null if retention deleted it. */
export async function findDeliveryContents(db: ReadDb, ids: readonly string[]) {
  const { webhookDeliveries: d } = db.tables;
  if (ids.length === 0) return new Map<string, { headers: Record<string, string>; body: Buffer | null }>();
  const rows = await db
    .select({ id: d.id, headers: d.headers, body: d.body })
    .from(d)
    .where(inArray(d.id, [...ids]));
  return new Map(rows.map(({ id, headers, body }) => [id, { headers, body }]));
}
