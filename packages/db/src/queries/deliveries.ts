import type { DeliveryFilter } from "@gatehouse/lists";
import { type DeliveryOutcome, type DeliveryReason, deliveryIdsFrom, deliveryTime, outcomeOf } from "@gatehouse/webhooks";
import { and, desc, eq, isNotNull, type SQL, sql } from "drizzle-orm";
import type { Handle, ReadHandle, Tables } from "../query/handle.ts";
import type { Position } from "./page.ts";
import { type Found, judged, type Scan, scanPage } from "./scan.ts";

export type DeliveryRow = {
  id: string;
  /** The slug of the endpoint. */
  endpoint: string;
  provider: string;
  receivedAt: number;
  outcome: DeliveryOutcome;
  reason: DeliveryReason;
  status: number;
  eventType: string | null;
  eventId: string | null;
  ackMs: number;
  bodyBytes: number | null;
  /** The last characters of the signing secret that matched. */
  secretHint: string | null;
  address: string | null;
};

/** A row of the inbox, without headers and body, which are read one delivery at a time. */
const listColumns = ({ webhookDeliveries: d, webhookSecrets }: Handle["tables"]) => ({
  id: d.id,
  endpoint: d.endpoint,
  provider: d.endpoint,
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

/** Newest first. `maxRows`: how many rows to examine if no index serves the filter. */
export async function listDeliveryRows(
  handle: ReadHandle,
  filter: DeliveryFilter,
  position: Position | undefined,
  limit: number,
  maxRows?: number,
): Promise<Found<DeliveryRow>> {
  const { db, tables } = handle;
  const { webhookDeliveries: d, webhookSecrets } = tables;
  const { from, to } = filter;
  return scanPage(handle, { ...split(tables, filter), from, to, position, limit, maxRows }, (condition, order) =>
    db
      .select(listColumns(tables))
      .from(d)
      .leftJoin(webhookSecrets, eq(webhookSecrets.id, d.secretId))
      .where(condition)
      .orderBy(...order)
      .limit(limit + 1),
  );
}

const COMPARED = ["outcome", "provider", "reason", "eventType", "eventId"] as const;

/** The index that serves a filter (by an outcome other than accepted, or by endpoint), and the rest of the filter. */
function split({ webhookDeliveries: d }: Tables, filter: DeliveryFilter): Pick<Scan, "index" | "residual"> {
  const given = { ...filter, outcome: filter.outcome ?? (filter.reason && outcomeOf(filter.reason)) };
  const columns = { outcome: d.outcome, provider: d.endpoint, reason: d.reason, eventType: d.eventType, eventId: d.eventId };
  const indexed = given.outcome === "accepted" ? (["provider"] as const) : (["outcome", "provider"] as const);
  const served = indexed.find((name) => given[name] !== undefined);
  const value = served && given[served];
  const partial = { outcome: notAccepted(d), provider: undefined };
  return {
    index: {
      table: d,
      id: d.id,
      idsFrom: deliveryIdsFrom,
      timeOf: deliveryTime,
      ...(served && value !== undefined && { equal: { column: columns[served], value }, partial: partial[served] }),
    },
    residual: and(...COMPARED.filter((name) => name !== served).map((name) => judged(columns[name], given[name]))),
  };
}

/** The condition of the partial index on the outcome. */
export const notAccepted = ({ outcome }: Tables["webhookDeliveries"]): SQL => sql`${outcome} <> 'accepted'`;

/** The event that a delivery brought or duplicates. */
export async function findEventOfDelivery(
  { db, tables: { webhookEvents: e } }: ReadHandle,
  { endpoint, eventKey }: { endpoint: string; eventKey: Buffer },
) {
  const [event] = await db
    .select({ firstDeliveryId: e.deliveryId, state: e.state, receivedAt: e.receivedAt })
    .from(e)
    .where(and(eq(e.endpoint, endpoint), eq(e.key, eventKey)));
  return event;
}

const RECENT = 5_000;

/** Providers and event types of the latest deliveries, for the filters; older ones can still be filtered by name. */
export async function deliveryFacetRows({ db, tables: { webhookDeliveries: d } }: ReadHandle) {
  const recent = db.select({ provider: d.endpoint, eventType: d.eventType }).from(d).orderBy(desc(d.id)).limit(RECENT).as("recent");
  const [providers, eventTypes] = await Promise.all([
    db.selectDistinct({ provider: recent.provider }).from(recent),
    db.selectDistinct({ eventType: recent.eventType }).from(recent).where(isNotNull(recent.eventType)),
  ]);
  return {
    providers: providers.map((row) => row.provider).sort(),
    eventTypes: eventTypes.flatMap((row) => row.eventType ?? []).sort(),
  };
}
