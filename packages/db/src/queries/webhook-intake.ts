import type { Delivery, OverflowReason } from "@gatehouse/webhooks";
import { and, eq, isNull, lte, or, type SQL, sql } from "drizzle-orm";
import type { Handle } from "../query/handle.ts";
import { placeholders, prepared, preparedWrite } from "../query/prepared.ts";

const PROVIDER = ({ db, tables: { webhookProviders: providers, webhookSecrets: secrets } }: Handle) =>
  db
    .select({ disabledAt: providers.disabledAt, secretId: secrets.id, sealed: secrets.sealed, expiresAt: secrets.expiresAt })
    .from(providers)
    .leftJoin(secrets, and(eq(secrets.provider, providers.provider), isNull(secrets.removedAt)))
    .where(eq(providers.provider, sql.placeholder("provider")))
    .orderBy(secrets.createdAt);

/** Whether it is enabled, and its sealed secrets, including expired but not removed ones; undefined if the provider was never configured. */
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

/** How often the time of a secret's last match is written at most. */
export const MATCH_SECONDS = 60;

const DELIVERY = ({ db, tables: { webhookDeliveries: deliveries } }: Handle) => db.insert(deliveries).values(placeholders(deliveries));
const rowOf = (delivery: Delivery) => ({ ...delivery, body: Buffer.from(delivery.body) });

export async function insertDelivery(handle: Handle, delivery: Delivery): Promise<void> {
  await prepared(handle, "insert_delivery", DELIVERY).execute(rowOf(delivery));
}

/** The event has the id of the delivery that brought it first, so looking for that id tells whether this delivery is the first. */
const EVENT = ({ db, tables: { webhookEvents: events } }: Handle) =>
  db
    .insert(events)
    .values(placeholders(events))
    .onConflictDoNothing({ target: [events.provider, events.dedupeKey] });

const JUDGED_DELIVERY = ({ db, tables: { webhookDeliveries: deliveries, webhookEvents: events } }: Handle) => {
  const verdict: SQL<"accepted" | "duplicate"> =
    sql`case when exists (select 1 from ${events} where ${events.id} = ${sql.placeholder("id")}) then 'accepted' else 'duplicate' end`;
  return db
    .insert(deliveries)
    .values({ ...placeholders(deliveries), outcome: verdict, reason: verdict })
    .returning({ outcome: deliveries.outcome });
};

/** Conditional, since several processes receive deliveries: only the first in a minute writes. */
const MATCHED = ({ db, tables: { webhookSecrets: secrets } }: Handle) =>
  db
    .update(secrets)
    .set({ lastMatchedAt: sql`${sql.placeholder("at")}` })
    .where(
      and(
        eq(secrets.id, sql.placeholder("id")),
        or(isNull(secrets.lastMatchedAt), lte(secrets.lastMatchedAt, sql.placeholder("minuteBefore"))),
      ),
    );

/**
 * Writes event and delivery in one transaction, so that a retry after a crash is new and a retry after an acknowledgement is a duplicate. True
 * if the event is new. With `matched`, also writes the time of the secret's match.
 */
export async function insertDeliveryOnce(handle: Handle, delivery: Delivery, dedupeKey: string, matched = false): Promise<boolean> {
  const { id, provider, eventType, receivedAt, secretId } = delivery;
  const match = { id: secretId, at: receivedAt, minuteBefore: receivedAt - MATCH_SECONDS };
  const [, written] = await handle.transaction([
    preparedWrite(handle, "insert_event", EVENT, { id, provider, dedupeKey, eventType, deliveryId: id, receivedAt }),
    preparedWrite(handle, "insert_judged_delivery", JUDGED_DELIVERY, rowOf(delivery)),
    ...(matched ? [preparedWrite(handle, "match_webhook_secret", MATCHED, match)] : []),
  ]);
  return written?.[0]?.[0] === "accepted";
}

/** Increments the minute's count. */
export async function countOverflow(
  { db, tables: { webhookOverflow: overflow } }: Handle,
  hit: { provider: string; reason: OverflowReason; now: number },
): Promise<void> {
  await db
    .upsert(overflow)
    .values({ provider: hit.provider, reason: hit.reason, minuteAt: hit.now - (hit.now % 60), count: 1 })
    .onConflictDoUpdate({ target: [overflow.provider, overflow.reason, overflow.minuteAt], set: { count: sql`${overflow.count} + 1` } });
}
