import type { Environment } from "@gatehouse/auth";
import type { Db, WriteQuery } from "@gatehouse/db/query/db";
import type { Position } from "@gatehouse/db/query/page";
import { and, desc, eq, type SQL, sql } from "drizzle-orm";
import { tablesOf } from "../tables.ts";

export type SubscriptionRow = ReturnType<typeof tablesOf>["subscriptions"]["$inferSelect"];

/**
 * Writes the state unless a newer one is stored. The last event stays the newest one, whichever was handled last. What
 * another environment left is replaced: an endpoint can be moved to production, and what its events said before must
 * not outweigh those of production.
 */
export function writeSubscription(db: Db, row: SubscriptionRow): WriteQuery {
  const { subscriptions: s } = tablesOf(db);
  const { endpoint, id, lastEventId, lastEventType, lastEventAt, ...state } = row;
  const isOther = sql`excluded.environment <> ${s.environment}`;
  const isLast = sql`${isOther} or (excluded.last_event_at, excluded.last_event_id) >= (${s.lastEventAt}, ${s.lastEventId})`;
  const last = (column: SQL, kept: SQL) => sql`case when ${isLast} then ${column} else ${kept} end`;
  return db
    .upsert(s)
    .values(row)
    .onConflictDoUpdate({
      target: [s.endpoint, s.id],
      set: {
        ...state,
        lastEventId: last(sql`excluded.last_event_id`, sql`${s.lastEventId}`),
        lastEventType: last(sql`excluded.last_event_type`, sql`${s.lastEventType}`),
        lastEventAt: last(sql`excluded.last_event_at`, sql`${s.lastEventAt}`),
      },
      setWhere: sql`${isOther} or excluded.version >= ${s.version}`,
    });
}

/** Counts one paid invoice. Not idempotent: only inside `once`. */
export function countPayment(
  db: Db,
  { endpoint, subscriptionId }: { endpoint: string; subscriptionId: string },
): WriteQuery {
  const { subscriptionPayments: p } = tablesOf(db);
  return db
    .upsert(p)
    .values({ endpoint, subscriptionId, count: 1 })
    .onConflictDoUpdate({ target: [p.endpoint, p.subscriptionId], set: { count: sql`${p.count} + 1` } });
}

export type Selection = {
  userId: string | undefined;
  environment: Environment | undefined;
  position: Position | undefined;
  limit: number;
};

/**
 * Subscriptions below `position`, the one with the newest event first: of one user and environment, or of all. One more
 * than `limit` when there is a next page.
 */
export async function listSubscriptions(db: Db, { userId, environment, position, limit }: Selection) {
  const { subscriptions: s, subscriptionPayments: p } = tablesOf(db);
  const ofUser = userId === undefined ? undefined : eq(s.userId, userId);
  const ofEnvironment = environment && eq(s.environment, environment);
  const below = position && sql`(${s.lastEventAt}, ${s.id}) < (${position.at}, ${position.id})`;
  const rows = await db
    .select({ subscription: s, payments: p.count })
    .from(s)
    .leftJoin(p, and(eq(p.endpoint, s.endpoint), eq(p.subscriptionId, s.id)))
    .where(and(ofUser, ofEnvironment, below))
    .orderBy(desc(s.lastEventAt), desc(s.id))
    .limit(limit + 1);
  return rows.map(({ subscription, payments }) => ({ ...subscription, payments: payments ?? 0 }));
}
