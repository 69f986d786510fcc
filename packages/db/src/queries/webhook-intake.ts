import type { Delivery, OverflowReason } from "@gatehouse/webhooks";
import { eq, type SQL, sql } from "drizzle-orm";
import { everyColumn, type Handle, prepared, statement } from "../handle.ts";

const PROVIDER = ({ db, tables: { webhookProviders: providers, webhookSecrets: secrets } }: Handle) =>
  db
    .select({ disabledAt: providers.disabledAt, secretId: secrets.id, sealed: secrets.sealed, expiresAt: secrets.expiresAt })
    .from(providers)
    .leftJoin(secrets, eq(secrets.provider, providers.provider))
    .where(eq(providers.provider, sql.placeholder("provider")))
    .orderBy(secrets.createdAt);

/** The switch and the secrets, expired ones too, still sealed; undefined when the provider was never configured. */
export async function findSealedProvider(handle: Handle, provider: string) {
  const rows = await prepared(handle, "find_provider", PROVIDER).execute({ provider });
  const [first] = rows;
  return (
    first && {
      enabled: first.disabledAt === null,
      secrets: rows.flatMap(({ secretId: id, sealed, expiresAt }) => (id !== null && sealed !== null ? [{ id, sealed, expiresAt }] : [])),
    }
  );
}

const DELIVERY = ({ db, tables: { webhookDeliveries: deliveries } }: Handle) => db.insert(deliveries).values(everyColumn(deliveries));
const rowOf = (delivery: Delivery) => ({ ...delivery, body: Buffer.from(delivery.body) });

export async function insertDelivery(handle: Handle, delivery: Delivery): Promise<void> {
  await prepared(handle, "insert_delivery", DELIVERY).execute(rowOf(delivery));
}

/** The event takes the id of the delivery that brought it, so whether it is there tells who was first. */
const EVENT = ({ db, tables: { webhookEvents: events } }: Handle) =>
  db
    .insert(events)
    .values(everyColumn(events))
    .onConflictDoNothing({ target: [events.provider, events.dedupeKey] });

const JUDGED_DELIVERY = ({ db, tables: { webhookDeliveries: deliveries, webhookEvents: events } }: Handle) => {
  const verdict: SQL<"accepted" | "duplicate"> =
    sql`case when exists (select 1 from ${events} where ${events.id} = ${sql.placeholder("id")}) then 'accepted' else 'duplicate' end`;
  return db
    .insert(deliveries)
    .values({ ...everyColumn(deliveries), outcome: verdict, reason: verdict })
    .returning({ outcome: deliveries.outcome });
};

/**
 * Event and delivery in one transaction: both are there or neither, so a retry after a crash is taken as new, and a retry
 * after an acknowledgement as a duplicate. True when the event is new.
 */
export async function insertDeliveryOnce(handle: Handle, delivery: Delivery, dedupeKey: string): Promise<boolean> {
  const { id, provider, eventType, receivedAt } = delivery;
  const [, written] = await handle.together([
    statement(handle, "insert_event", EVENT, { id, provider, dedupeKey, eventType, deliveryId: id, receivedAt }),
    statement(handle, "insert_judged_delivery", JUDGED_DELIVERY, rowOf(delivery)),
  ]);
  return written?.[0]?.[0] === "accepted";
}

/** Adds one to the minute's count. */
export async function countOverflow(
  { db, tables: { webhookOverflow: overflow } }: Handle,
  hit: { provider: string; reason: OverflowReason; now: number },
): Promise<void> {
  await db
    .insert(overflow)
    .values({ provider: hit.provider, reason: hit.reason, minuteAt: hit.now - (hit.now % 60), count: 1 })
    .onConflictDoUpdate({ target: [overflow.provider, overflow.reason, overflow.minuteAt], set: { count: sql`${overflow.count} + 1` } });
}
