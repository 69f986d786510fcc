import type { DeliveredEvent, Delivery } from "@gatehouse/webhooks";
import { and, eq, getTableColumns, isNull, type SQL, sql } from "drizzle-orm";
import type { Handle, Write } from "../query/handle.ts";
import { memoized, placeholders, prepared, preparedWrite } from "../query/prepared.ts";

const ENDPOINT = ({ db, tables: { webhookEndpoints: endpoints, webhookSecrets: secrets } }: Handle) =>
  db
    .select({
      provider: endpoints.provider,
      environment: endpoints.environment,
      settings: endpoints.settings,
      disabledAt: endpoints.disabledAt,
      secretId: secrets.id,
      kind: secrets.kind,
      sealed: secrets.sealed,
      expiresAt: secrets.expiresAt,
    })
    .from(endpoints)
    .leftJoin(secrets, and(eq(secrets.endpoint, endpoints.slug), isNull(secrets.removedAt)))
    .where(eq(endpoints.slug, sql.placeholder("slug")))
    .orderBy(secrets.createdAt);

/** Its settings and sealed secrets, including expired but not removed ones; undefined if the endpoint was never configured. */
export async function findSealedEndpoint(handle: Handle, slug: string) {
  const rows = await prepared(handle, "find_webhook_endpoint", ENDPOINT).execute({ slug });
  const [first] = rows;
  if (!first) return undefined;
  const secrets = rows.flatMap(({ secretId: id, kind, sealed, expiresAt }) =>
    id !== null && kind !== null && sealed !== null ? [{ id, kind, sealed, expiresAt }] : [],
  );
  const { provider, environment, settings, disabledAt } = first;
  return { slug, provider, environment, settings, enabled: disabledAt === null, secrets };
}

const DELIVERY = ({ db, tables: { webhookDeliveries: deliveries } }: Handle) => db.insert(deliveries).values(placeholders(deliveries));

const toBuffer = (bytes: Uint8Array) => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
const rowOf = (delivery: Delivery, [event]: readonly DeliveredEvent[] = []) => ({
  ...delivery,
  body: toBuffer(delivery.body),
  eventKey: event ? toBuffer(event.key) : null,
});

export async function insertDelivery(handle: Handle, delivery: Delivery): Promise<void> {
  await prepared(handle, "insert_delivery", DELIVERY).execute(rowOf(delivery));
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
export async function insertDeliveryOnce(handle: Handle, delivery: Delivery, events: readonly DeliveredEvent[]): Promise<boolean> {
  const { id, endpoint, receivedAt } = delivery;
  const written = await handle.transaction([
    ...events.map(({ key, type, handlers }) =>
      preparedWrite(handle, "insert_event", EVENT, {
        ...{ endpoint, key: toBuffer(key), deliveryId: id, receivedAt, eventType: type },
        state: handlers.length > 0 ? "pending" : "stored",
      }),
    ),
    preparedWrite(handle, `insert_judged_delivery_${events.length}`, judgedDelivery(events.length), {
      ...rowOf(delivery, events),
      ...Object.fromEntries(events.map(({ key }, at) => [`key${at}`, toBuffer(key)])),
    }),
    ...events.flatMap((event, at) => jobsOf(handle, delivery, event, at)),
  ]);
  return written[events.length]?.[0]?.[0] === "accepted";
}

/** A job for each handler, written only if this delivery brought the event. */
function jobsOf(handle: Handle, delivery: Delivery, { key, handlers }: DeliveredEvent, at: number): Write[] {
  const { id, endpoint, receivedAt } = delivery;
  const eventKey = toBuffer(key);
  return handlers.map(({ name, orderKey, queue }, place) => {
    const payload = JSON.stringify({ endpoint, deliveryId: id, eventKey: eventKey.toString("base64url"), handler: name });
    const row = [`${id}-${at}-${place}`, queue, orderKey, payload, receivedAt, 0, null, null, null, receivedAt];
    return { ...jobInsert(handle), params: [...row, endpoint, eventKey, id] };
  });
}

function jobInsert(handle: Handle): Omit<Write, "params"> {
  const { jobs } = handle.tables;
  return memoized(handle, "insert a webhook job", () => {
    const columns = Object.values(getTableColumns(jobs));
    const param = (type: string, at: number) => (handle.dialect === "sqlite" ? "?" : `$${at}::${type}`);
    const values = columns.map((column, at) => param(column.getSQLType(), at + 1));
    const [endpoint, key, deliveryId] = ["text", "bytea", "text"].map((type, at) => param(type, columns.length + at + 1));
    const sqlText = `insert into "jobs" (${columns.map(({ name }) => `"${name}"`).join(", ")}) select ${values.join(", ")} where exists
      (select 1 from "webhook_events" where "endpoint" = ${endpoint} and "key" = ${key} and "delivery_id" = ${deliveryId})`;
    return { name: "insert_webhook_job", sql: sqlText, table: jobs, operation: "insert" as const };
  });
}
