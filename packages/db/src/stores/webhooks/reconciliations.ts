import { and, eq, gt, isNull, lte, or, sql } from "drizzle-orm";
import type { Db, ReadDb, WriteQuery } from "../../query/db.ts";

export type ReconciliationRow = Db["tables"]["webhookReconciliations"]["$inferSelect"];

/** How far the endpoints' events were compared with their providers' lists, by slug. */
export async function listReconciliations(db: ReadDb): Promise<ReconciliationRow[]> {
  const { webhookReconciliations: r } = db.tables;
  return db.select().from(r).orderBy(r.endpoint).limit(1000);
}

export async function findReconciliation(db: ReadDb, endpoint: string): Promise<ReconciliationRow | undefined> {
  const { webhookReconciliations: r } = db.tables;
  const [row] = await db.select().from(r).where(eq(r.endpoint, endpoint));
  return row;
}

/** The enabled endpoints with an API key whose next comparison is due at `now`. */
export async function listDueReconciliations(db: ReadDb, now: number) {
  const { webhookEndpoints: e, webhookSecrets: s, webhookReconciliations: r } = db.tables;
  return db
    .selectDistinct({ endpoint: e.slug, provider: e.provider, createdAt: e.createdAt })
    .from(e)
    .innerJoin(
      s,
      and(
        eq(s.endpoint, e.slug),
        eq(s.kind, "api_key"),
        isNull(s.removedAt),
        or(isNull(s.expiresAt), gt(s.expiresAt, now)),
      ),
    )
    .leftJoin(r, eq(r.endpoint, e.slug))
    .where(and(isNull(e.disabledAt), or(isNull(r.nextRunAt), lte(r.nextRunAt, now))))
    .limit(1000);
}

/** Takes the turn of an endpoint whose comparison is due: the first write of {@link Db.guarded}. */
export function takeReconciliation(
  db: Db,
  { endpoint, now, nextRunAt }: { endpoint: string; now: number; nextRunAt: number },
): WriteQuery {
  const { webhookReconciliations: r } = db.tables;
  return db
    .upsert(r)
    .values({ endpoint, nextRunAt, recovered: 0 })
    .onConflictDoUpdate({ target: r.endpoint, set: { nextRunAt }, setWhere: lte(r.nextRunAt, now) })
    .returning({ endpoint: r.endpoint });
}

/** Saves how far a comparison came. `recovered` is added to the count. For {@link Db.guarded}. */
export function saveReconciliation(
  db: Db,
  endpoint: string,
  { recovered = 0, ...change }: Partial<Omit<ReconciliationRow, "endpoint">>,
): WriteQuery {
  const { webhookReconciliations: r } = db.tables;
  return db
    .update(r)
    .set({ ...change, recovered: sql`${r.recovered} + ${recovered}` })
    .where(eq(r.endpoint, endpoint));
}
