import type { DeliveredEvent, Delivery } from "@gatehouse/webhooks";
import { getTableColumns, getTableName } from "drizzle-orm";
import type { PgTable } from "drizzle-orm/pg-core";
import type { LocalWrites, Tables } from "../query/db.ts";
import { type Accept, jobRowsOf, stateOf, toBuffer } from "../stores/webhooks/delivery-rows.ts";

/**
 * On SQLite: a statement for each event, delivery and job. Whether its insert changed a row says whether an event is
 * new, so nothing is read.
 */
export function createAccept({ compile, transaction }: LocalWrites, tables: Tables): Accept {
  const insertEvent = compile(insertInto(tables.webhookEvents, "on conflict do nothing"));
  const insertDelivery = compile(insertInto(tables.webhookDeliveries));
  const insertJob = compile(insertInto(tables.jobs));

  function insertNewEvents(delivery: Delivery, events: readonly DeliveredEvent[]): boolean {
    let someNew = false;
    for (const [at, event] of events.entries()) {
      if (insertEvent(eventValues(delivery, event)) === 0) continue;
      someNew = true;
      if (event.handlers.length > 0) for (const job of jobRowsOf(delivery, event, at)) insertJob(jobValues(job));
    }
    return someNew;
  }

  return (delivery, events) =>
    transaction(() => {
      const isNew = insertNewEvents(delivery, events);
      insertDelivery(deliveryValues(delivery, isNew ? "accepted" : "duplicate", events[0]));
      return isNew;
    });
}

/** The insert of one row. Its values are all columns, in the table's order. */
function insertInto(table: PgTable, clause = "") {
  const columns = Object.values(getTableColumns(table));
  const names = columns.map(({ name }) => `"${name}"`).join(", ");
  const sql = `insert into "${getTableName(table)}" (${names}) values (${columns.map(() => "?").join(", ")}) ${clause}`;
  return { sql, table };
}

function eventValues({ id, endpoint, receivedAt }: Delivery, event: DeliveredEvent): unknown[] {
  return [endpoint, toBuffer(event.key), id, receivedAt, event.type, stateOf(event)];
}

function jobValues(job: ReturnType<typeof jobRowsOf>[number]): unknown[] {
  const { id, queue, orderKey, payload, runAt, attempts, leaseToken, lastError, deadAt, createdAt } = job;
  return [id, queue, orderKey, JSON.stringify(payload), runAt, attempts, leaseToken, lastError, deadAt, createdAt];
}

function deliveryValues(
  delivery: Delivery,
  verdict: "accepted" | "duplicate",
  event: DeliveredEvent | undefined,
): unknown[] {
  return [
    delivery.id,
    delivery.endpoint,
    delivery.environment,
    delivery.receivedAt,
    delivery.method,
    verdict,
    verdict,
    delivery.status,
    delivery.eventType,
    delivery.eventId,
    delivery.mode,
    event ? toBuffer(event.key) : null,
    delivery.secretId,
    delivery.skewSeconds,
    JSON.stringify(delivery.headers),
    toBuffer(delivery.body),
    delivery.bodyBytes,
    delivery.ackMs,
    delivery.address,
    delivery.source,
  ];
}
