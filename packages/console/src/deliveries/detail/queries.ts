import type { ReadDb } from "@gatehouse/db/query/db";
import { notAccepted } from "@gatehouse/db/schema/index-conditions";
import { and, asc, desc, eq, gt, gte, inArray, lt, lte, type SQL } from "drizzle-orm";

/** One delivery with all its columns, and what its endpoint is today: null if there is no endpoint. */
export async function findDeliveryDetail(db: ReadDb, id: string) {
  const { webhookDeliveries: d, webhookEndpoints: e } = db.tables;
  const [row] = await db
    .select({ delivery: d, provider: e.provider, settings: e.settings, lastAcceptedAt: e.lastAcceptedAt })
    .from(d)
    .leftJoin(e, eq(e.slug, d.endpoint))
    .where(eq(d.id, id));
  return row;
}

/** The events with one of these keys at these endpoints. */
export async function findEventAtEndpoints(db: ReadDb, endpoints: readonly string[], keys: readonly Buffer[]) {
  const { webhookEvents: e } = db.tables;
  if (endpoints.length === 0) return [];
  return db
    .select({ endpoint: e.endpoint, deliveryId: e.deliveryId, receivedAt: e.receivedAt })
    .from(e)
    .where(and(inArray(e.endpoint, [...endpoints]), inArray(e.key, [...keys])));
}

/** The settings of all endpoints, in a stable order. */
export async function listEndpointSettings(db: ReadDb, limit: number) {
  const { webhookEndpoints: e } = db.tables;
  return db
    .select({
      slug: e.slug,
      provider: e.provider,
      environment: e.environment,
      settings: e.settings,
      disabledAt: e.disabledAt,
    })
    .from(e)
    .orderBy(asc(e.slug))
    .limit(limit);
}

/** The slugs of a provider's endpoints. Its default endpoint can work without a row. */
export async function listEndpointSlugs(db: ReadDb, provider: string): Promise<string[]> {
  const { webhookEndpoints: e } = db.tables;
  const rows = await db.select({ slug: e.slug }).from(e).where(eq(e.provider, provider)).limit(200);
  return rows.map(({ slug }) => slug);
}

/** The newest attempts at the events that a delivery brought. */
export async function listAttempts(db: ReadDb, deliveryId: string, limit: number) {
  const { webhookAttempts: a } = db.tables;
  return db.select().from(a).where(eq(a.deliveryId, deliveryId)).orderBy(desc(a.id)).limit(limit);
}

/**
 * The waiting, running and dead jobs that a delivery added. Their ids are the delivery's id, the place of the event,
 * and the handler's.
 */
export async function listJobsOfDelivery(db: ReadDb, deliveryId: string) {
  const { jobs: j } = db.tables;
  // Equal with and without a locale that ignores punctuation.
  return db
    .select({
      payload: j.payload,
      runAt: j.runAt,
      attempts: j.attempts,
      leaseToken: j.leaseToken,
      deadAt: j.deadAt,
      lastError: j.lastError,
    })
    .from(j)
    .where(and(gte(j.id, `${deliveryId}-0`), lte(j.id, `${deliveryId}-z`)))
    .orderBy(asc(j.id))
    .limit(200);
}

/** The columns of a delivery in a list of related ones. */
const brief = ({ webhookDeliveries: d }: ReadDb["tables"]) => ({
  id: d.id,
  endpoint: d.endpoint,
  receivedAt: d.receivedAt,
  outcome: d.outcome,
  reason: d.reason,
  eventType: d.eventType,
  eventId: d.eventId,
  eventKey: d.eventKey,
  status: d.status,
  ackMs: d.ackMs,
  secretId: d.secretId,
  skewSeconds: d.skewSeconds,
  headers: d.headers,
});

export async function findBriefDeliveries(db: ReadDb, ids: readonly string[]) {
  const { tables } = db;
  const { webhookDeliveries: d } = tables;
  if (ids.length === 0) return [];
  return db
    .select(brief(tables))
    .from(d)
    .where(inArray(d.id, [...ids]))
    .orderBy(asc(d.id));
}

/**
 * Duplicates of an event, oldest first. Follows the partial index on the outcome, and examines at most `maxRows`
 * duplicates.
 */
export async function listDuplicates(
  db: ReadDb,
  { endpoint, eventKey, after }: { endpoint: string; eventKey: Buffer; after: string },
  maxRows: number,
) {
  const { webhookDeliveries: d } = db.tables;
  const examined = await db
    .select({ id: d.id, endpoint: d.endpoint, eventKey: d.eventKey })
    .from(d)
    .where(and(eq(d.outcome, "duplicate"), notAccepted(d), gt(d.id, after)))
    .orderBy(asc(d.outcome), asc(d.id))
    .limit(maxRows);
  const same = examined.filter((row) => row.endpoint === endpoint && row.eventKey?.equals(eventKey) === true);
  return { ids: same.map(({ id }) => id), complete: examined.length < maxRows };
}

/**
 * The requests of the accepted deliveries next to one at its endpoint: of `count` on each side, those with at most
 * `maxBytes`, so that a search through them reads little.
 */
export async function listNeighbours(
  db: ReadDb,
  { endpoint, id }: { endpoint: string; id: string },
  { count, maxBytes }: { count: number; maxBytes: number },
) {
  const { tables } = db;
  const { webhookDeliveries: d } = tables;
  const side = (condition: SQL, order: SQL) =>
    db
      .select({ id: d.id, outcome: d.outcome, bodyBytes: d.bodyBytes })
      .from(d)
      .where(and(eq(d.endpoint, endpoint), condition))
      .orderBy(order)
      .limit(count);
  const [older, newer] = await Promise.all([side(lt(d.id, id), desc(d.id)), side(gt(d.id, id), asc(d.id))]);
  const near = [...newer, ...older];
  const readable = near.filter(
    ({ outcome, bodyBytes }) => outcome === "accepted" && bodyBytes !== null && bodyBytes <= maxBytes,
  );
  if (readable.length === 0) return { searched: near.length, requests: [] };
  const ids = readable.map((row) => row.id);
  const requests = await db
    .select({ ...brief(tables), method: d.method, body: d.body })
    .from(d)
    .where(inArray(d.id, ids))
    .orderBy(asc(d.id));
  return { searched: near.length, requests };
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
