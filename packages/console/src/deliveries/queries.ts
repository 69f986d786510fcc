import type { Db, ReadDb } from "@gatehouse/db/query/db";
import type { Position } from "@gatehouse/db/query/page";
import { type FoundRows, mergeFound, SCAN_ROWS, scanPage } from "@gatehouse/db/query/scan";
import type { DeliveryOutcome, DeliveryReason, DeliverySource, Environment, EventState, Mode } from "@gatehouse/webhooks";
import { and, desc, eq, inArray, isNotNull, type SQL, sql } from "drizzle-orm";
import type { DeliveryFilter } from "../lists/lists.ts";
import { deliveryScans } from "./scan-queries.ts";

export type DeliveryRow = {
  id: string;
  /** The slug of the endpoint. */
  endpoint: string;
  provider: string;
  /** The one that it arrived in. */
  environment: Environment;
  receivedAt: number;
  outcome: DeliveryOutcome;
  reason: DeliveryReason;
  status: number;
  eventType: string | null;
  eventId: string | null;
  /** The provider's own mark; null if it sets none. */
  mode: Mode | null;
  /** The state of its event; null if it is rejected, or so old that its event is deleted. */
  handlerState: EventState | null;
  ackMs: number;
  bodyBytes: number | null;
  /** The last characters of the signing secret that matched. */
  secretHint: string | null;
  address: string | null;
  source: DeliverySource;
};

/** A row of the inbox, without headers and body, which are read one delivery at a time. */
const listColumns = ({ webhookDeliveries: d, webhookSecrets, webhookEndpoints, webhookEvents }: Db["tables"]) => ({
  id: d.id,
  endpoint: d.endpoint,
  provider: sql<string>`coalesce(${webhookEndpoints.provider}, ${d.endpoint})`,
  environment: d.environment,
  receivedAt: d.receivedAt,
  outcome: d.outcome,
  reason: d.reason,
  status: d.status,
  eventType: d.eventType,
  eventId: d.eventId,
  mode: d.mode,
  handlerState: webhookEvents.state,
  ackMs: d.ackMs,
  bodyBytes: d.bodyBytes,
  secretHint: webhookSecrets.hint,
  address: d.address,
  source: d.source,
});

export type DeliveryPage = {
  /** Where the previous page ended. */
  position?: Position | undefined;
  /** Only rows that are newer than the delivery with this id. */
  after?: string | undefined;
  limit: number;
  /** How many rows to examine if no index serves the filter. */
  maxRows?: number | undefined;
};

/** Newest first. */
export async function listDeliveryRows(
  db: ReadDb,
  filter: DeliveryFilter,
  { position, after, limit, maxRows = SCAN_ROWS }: DeliveryPage,
): Promise<FoundRows<DeliveryRow>> {
  const scans = await deliveryScans(db, filter);
  const { from, to } = filter;
  const page = { from, to, after, position, limit, maxRows: Math.ceil(maxRows / Math.max(1, scans.length)) };
  const found = await Promise.all(
    scans.map((scan) =>
      scanPage(db, { ...scan, ...page }, (condition, order) => selectRows(db, scan.index.table, condition, order, limit + 1)),
    ),
  );
  return mergeFound(found, limit);
}

/** Rows of the list, found in the table of deliveries or, if that is what the index is on, of events. */
function selectRows(db: ReadDb, from: unknown, condition: SQL | undefined, order: SQL[], limit: number): Promise<DeliveryRow[]> {
  const { tables } = db;
  const { webhookDeliveries: d, webhookEvents: e, webhookSecrets, webhookEndpoints } = tables;
  const query =
    from === e
      ? db.select(listColumns(tables)).from(e).innerJoin(d, eq(d.id, e.deliveryId))
      : db
          .select(listColumns(tables))
          .from(d)
          .leftJoin(e, and(eq(e.endpoint, d.endpoint), eq(e.key, d.eventKey)));
  return query
    .leftJoin(webhookSecrets, eq(webhookSecrets.id, d.secretId))
    .leftJoin(webhookEndpoints, eq(webhookEndpoints.slug, d.endpoint))
    .where(condition)
    .orderBy(...order)
    .limit(limit);
}

/** The rows with these ids, newest first. */
export function findDeliveryRows(db: ReadDb, ids: readonly string[]): Promise<DeliveryRow[]> {
  const { webhookDeliveries: d } = db.tables;
  return ids.length === 0 ? Promise.resolve([]) : selectRows(db, d, inArray(d.id, [...ids]), [desc(d.id)], ids.length);
}

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

/** The event that a delivery brought or duplicates. */
export async function findEventOfDelivery(db: ReadDb, { endpoint, eventKey }: { endpoint: string; eventKey: Buffer }) {
  const { webhookEvents: e } = db.tables;
  const [event] = await db
    .select({ firstDeliveryId: e.deliveryId, state: e.state, receivedAt: e.receivedAt })
    .from(e)
    .where(and(eq(e.endpoint, endpoint), eq(e.key, eventKey)));
  return event;
}

const RECENT = 5_000;

/** Endpoints, providers and event types of the latest deliveries, for the filters; older ones can still be filtered by name. */
export async function deliveryFacetRows(db: ReadDb) {
  const { webhookDeliveries: d, webhookEndpoints: e } = db.tables;
  const recent = db.select({ endpoint: d.endpoint, eventType: d.eventType }).from(d).orderBy(desc(d.id)).limit(RECENT).as("recent");
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
