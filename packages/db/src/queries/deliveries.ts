import type { DeliveryOutcome, DeliveryReason } from "@gatehouse/webhooks";
import { and, desc, eq, gte, isNotNull, lte, or } from "drizzle-orm";
import type { Handle } from "../handle.ts";
import { after, type Position } from "./page.ts";

export type DeliveryFilter = {
  provider?: string | undefined;
  outcome?: DeliveryOutcome | undefined;
  reason?: DeliveryReason | undefined;
  eventType?: string | undefined;
  eventId?: string | undefined;
  /** Unix seconds, inclusive. */
  from?: number | undefined;
  to?: number | undefined;
};

/** A line of the inbox; the headers and the body are read one delivery at a time. */
const listColumns = ({ webhookDeliveries: d, webhookSecrets }: Handle["tables"]) => ({
  id: d.id,
  provider: d.provider,
  receivedAt: d.receivedAt,
  outcome: d.outcome,
  reason: d.reason,
  status: d.status,
  eventType: d.eventType,
  eventId: d.eventId,
  ackMs: d.ackMs,
  bodyBytes: d.bodyBytes,
  secretHint: webhookSecrets.hint,
  address: d.address,
});

/** Newest first; one row more than `limit` when there are more. */
export function listDeliveryRows({ db, tables }: Handle, filter: DeliveryFilter, position: Position | undefined, limit: number) {
  const { webhookDeliveries: d, webhookSecrets } = tables;
  const { provider, outcome, reason, eventType, eventId, from, to } = filter;
  return db
    .select(listColumns(tables))
    .from(d)
    .leftJoin(webhookSecrets, eq(webhookSecrets.id, d.secretId))
    .where(
      and(
        provider === undefined ? undefined : eq(d.provider, provider),
        outcome === undefined ? undefined : eq(d.outcome, outcome),
        reason === undefined ? undefined : eq(d.reason, reason),
        eventType === undefined ? undefined : eq(d.eventType, eventType),
        eventId === undefined ? undefined : eq(d.eventId, eventId),
        from === undefined ? undefined : gte(d.receivedAt, from),
        to === undefined ? undefined : lte(d.receivedAt, to),
        after(position, { at: d.receivedAt, id: d.id }),
      ),
    )
    .orderBy(desc(d.receivedAt), desc(d.id))
    .limit(limit + 1);
}

/** One delivery with everything kept of it. */
export async function findDelivery({ db, tables }: Handle, id: string) {
  const { webhookDeliveries: d, webhookSecrets } = tables;
  const [row] = await db
    .select({ ...listColumns(tables), method: d.method, headers: d.headers, body: d.body, skewSeconds: d.skewSeconds })
    .from(d)
    .leftJoin(webhookSecrets, eq(webhookSecrets.id, d.secretId))
    .where(eq(d.id, id));
  return row;
}

/** The event a delivery brought: its own, or for a duplicate the one that its provider sent before. */
export async function findEventOfDelivery(
  { db, tables: { webhookEvents: e } }: Handle,
  delivery: { id: string; provider: string; eventId: string | null },
): Promise<{ id: string; firstDeliveryId: string } | undefined> {
  const { id, provider, eventId } = delivery;
  const [row] = await db
    .select({ id: e.id, firstDeliveryId: e.deliveryId })
    .from(e)
    .where(
      and(eq(e.provider, provider), eventId === null ? eq(e.deliveryId, id) : or(eq(e.dedupeKey, `id:${eventId}`), eq(e.deliveryId, id))),
    )
    .limit(1);
  return row;
}

const RECENT = 5_000;

/** Providers and event types among the latest deliveries, for the filters; older ones can still be asked for by name. */
export async function deliveryFacetRows({ db, tables: { webhookDeliveries: d } }: Handle) {
  const recent = db
    .select({ provider: d.provider, eventType: d.eventType })
    .from(d)
    .orderBy(desc(d.receivedAt), desc(d.id))
    .limit(RECENT)
    .as("recent");
  const [providers, eventTypes] = await Promise.all([
    db.selectDistinct({ provider: recent.provider }).from(recent),
    db.selectDistinct({ eventType: recent.eventType }).from(recent).where(isNotNull(recent.eventType)),
  ]);
  return {
    providers: providers.map((row) => row.provider).sort(),
    eventTypes: eventTypes.flatMap((row) => row.eventType ?? []).sort(),
  };
}
