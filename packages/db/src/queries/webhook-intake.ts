import type { DeliveredEvent, Delivery } from "@gatehouse/webhooks";
import { and, eq, getTableColumns, isNull, type SQL, sql } from "drizzle-orm";
import type { PgColumn } from "drizzle-orm/pg-core";
import { type AcceptedDelivery, acceptStatement, jobRowsOf, toBuffer } from "../postgres/accept-statement.ts";
import { appendRow, batch, lookUp } from "../query/batching.ts";
import type { Handle, Write } from "../query/handle.ts";
import { memoized, placeholders, preparedWrite } from "../query/prepared.ts";

const selectEndpoint = ({ db, tables: { webhookEndpoints: n, webhookSecrets: s } }: Handle, matching: (column: PgColumn) => SQL) =>
  db
    .select({
      slug: n.slug,
      provider: n.provider,
      environment: n.environment,
      settings: n.settings,
      disabledAt: n.disabledAt,
      secretId: s.id,
      kind: s.kind,
      sealed: s.sealed,
      expiresAt: s.expiresAt,
    })
    .from(n)
    .leftJoin(s, and(eq(s.endpoint, n.slug), isNull(s.removedAt)))
    .where(matching(n.slug))
    .orderBy(s.createdAt);

const ENDPOINT = { name: "find_webhook_endpoint", build: selectEndpoint, keyOf: ({ slug }: { slug: string }) => slug };

/** Its settings and sealed secrets, including expired but not removed ones; undefined if the endpoint was never configured. */
export async function findSealedEndpoint(handle: Handle, slug: string) {
  const rows = await lookUp(handle, ENDPOINT, slug);
  const [first] = rows;
  if (!first) return undefined;
  const secrets = rows.flatMap(({ secretId: id, kind, sealed, expiresAt }) =>
    id !== null && kind !== null && sealed !== null ? [{ id, kind, sealed, expiresAt }] : [],
  );
  const { provider, environment, settings, disabledAt } = first;
  return { slug, provider, environment, settings, enabled: disabledAt === null, secrets };
}

const rowOf = (delivery: Delivery, [event]: readonly DeliveredEvent[] = []) => ({
  ...delivery,
  body: toBuffer(delivery.body),
  eventKey: event ? toBuffer(event.key) : null,
});

export async function insertDelivery(handle: Handle, delivery: Delivery): Promise<void> {
  await appendRow(handle, handle.tables.webhookDeliveries, rowOf(delivery));
}

const EVENT = ({ db, tables: { webhookEvents: events } }: Handle) => db.insert(events).values(placeholders(events)).onConflictDoNothing();

/** An event names the delivery that brought it first, so looking for this delivery's name tells whether it brought one. */
const judgedDelivery =
  (events: number) =>
  ({ db, tables: { webhookDeliveries: d, webhookEvents: e } }: Handle) => {
    const keys = Array.from({ length: events }, (_, at) => sql`${sql.placeholder(`key${at}`)}`);
    const brought = sql`${e.endpoint} = ${sql.placeholder("endpoint")} and ${e.key} in (${sql.join(keys, sql`, `)}) and ${e.deliveryId} = ${sql.placeholder("id")}`;
    const verdict: SQL<"accepted" | "duplicate"> =
      sql`case when exists (select 1 from ${e} where ${brought}) then 'accepted' else 'duplicate' end`;
    const row = { ...placeholders(d), outcome: verdict, reason: verdict };
    return db.insert(d).values(row).returning({ outcome: d.outcome });
  };

/**
 * Writes events, delivery and jobs in one transaction, so that a retry after a crash is new and a retry after an acknowledgement is a
 * duplicate. True if an event is new.
 */
export function insertDeliveryOnce(handle: Handle, delivery: Delivery, events: readonly DeliveredEvent[]): Promise<boolean> {
  if (!handle.batches) return acceptAlone(handle, { delivery, events });
  const accept = memoized(handle, "accept deliveries", () => batch(acceptTogether(handle), MAX_DELIVERIES));
  return accept({ delivery, events });
}

/** Bounds the memory of a statement: a body has up to 1 MiB. */
const MAX_DELIVERIES = 64;

/** On PostgreSQL, where each statement is a round trip: the deliveries of one turn of the event loop in one. */
function acceptTogether(handle: Handle): (all: readonly AcceptedDelivery[]) => Promise<boolean[]> {
  return async (all) => {
    const [rows = []] = await handle.transaction([acceptStatement(all, handle.tables)]);
    const brought = new Set(rows.map(([deliveryId]) => deliveryId));
    return all.map(({ delivery }) => brought.has(delivery.id));
  };
}

async function acceptAlone(handle: Handle, { delivery, events }: AcceptedDelivery): Promise<boolean> {
  const row: Record<string, unknown> = rowOf(delivery, events);
  const writes: Write[] = [];
  for (const [at, { key, type, handlers }] of events.entries()) {
    row[`key${at}`] = toBuffer(key);
    const state = handlers.length > 0 ? "pending" : "stored";
    const event = { endpoint: delivery.endpoint, key: row[`key${at}`], deliveryId: delivery.id, receivedAt: delivery.receivedAt };
    writes.push(preparedWrite(handle, "insert_event", EVENT, { ...event, eventType: type, state }));
  }
  writes.push(preparedWrite(handle, `insert_judged_delivery_${events.length}`, judgedDelivery(events.length), row));
  for (const [at, event] of events.entries()) if (event.handlers.length > 0) writes.push(...jobsOf(handle, delivery, event, at));
  const written = await handle.transaction(writes);
  return written[events.length]?.[0]?.[0] === "accepted";
}

/** A job for each handler, written only if this delivery brought the event. */
function jobsOf(handle: Handle, delivery: Delivery, event: DeliveredEvent, at: number): Write[] {
  const { jobs } = handle.tables;
  const insert = memoized(handle, "insert a webhook job", () => {
    const columns = Object.values(getTableColumns(jobs));
    return `insert into "jobs" (${columns.map(({ name }) => `"${name}"`).join(", ")}) select ${columns.map(() => "?").join(", ")} where exists
      (select 1 from "webhook_events" where "endpoint" = ? and "key" = ? and "delivery_id" = ?)`;
  });
  return jobRowsOf(delivery, event, at).map((row) => {
    const values = Object.entries(getTableColumns(jobs)).map(([name, column]) => encoded(column, Reflect.get(row, name)));
    const params = [...values, delivery.endpoint, toBuffer(event.key), delivery.id];
    return { name: "insert_webhook_job", sql: insert, params, table: jobs, operation: "insert" };
  });
}

const encoded = (column: PgColumn, value: unknown) => (value === null ? null : column.mapToDriverValue(value));
