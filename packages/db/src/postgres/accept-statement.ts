import type { DeliveredEvent } from "@gatehouse/webhooks";
import { getTableColumns, getTableName } from "drizzle-orm";
import type { PgColumn, PgTable } from "drizzle-orm/pg-core";
import { type AcceptedDelivery, jobRowsOf, toBuffer } from "../query/delivery-rows.ts";
import type { Tables, Write } from "../query/handle.ts";

const KEY_BYTES = 16;

/**
 * One statement for any number of deliveries: adds the events that are new, every delivery with its verdict, and the jobs of the new events.
 * Returns the id of the delivery for each new event. Rows travel as an array for each column; bodies and keys as one value each, since a
 * byte array inside an array is sent as hexadecimal text.
 */
export function acceptStatement(all: readonly AcceptedDelivery[], tables: Tables): Write {
  const { webhookDeliveries: table } = tables;
  const events = eventRowsOf(all);
  const jobs = all.flatMap(({ delivery, events: own }) =>
    own.flatMap((event, at) => jobRowsOf(delivery, event, at).map((row) => ({ ...row, deliveryId: delivery.id, key: hexOf(event) }))),
  );
  const params: unknown[] = [];
  const parts = [bringEvents(events, tables, params), logDeliveries(all, tables, params)];
  if (jobs.length > 0) parts.push(queueJobs(jobs, tables, params));
  const name = jobs.length > 0 ? "accept_deliveries_with_jobs" : "accept_deliveries";
  return { name, sql: `with ${parts.join(", ")} select "delivery_id" from brought`, params, table, operation: "insert" };
}

/** Sorted by key, so that two statements with the same events lock them in the same order. Of equal keys, the first arrival stays first. */
function eventRowsOf(all: readonly AcceptedDelivery[]) {
  const rows = all.flatMap(({ delivery, events }) =>
    events.map((event) => ({
      ...{ endpoint: delivery.endpoint, key: event.key, deliveryId: delivery.id, receivedAt: delivery.receivedAt, eventType: event.type },
      state: event.handlers.length > 0 ? "pending" : "stored",
    })),
  );
  return rows.sort((one, other) => Buffer.compare(one.key, other.key) || compare(one.endpoint, other.endpoint));
}

const compare = (one: string, other: string) => (one < other ? -1 : one > other ? 1 : 0);
const hexOf = ({ key }: DeliveredEvent) => toBuffer(key).toString("hex");

type Row = Record<string, unknown>;
type Column = readonly [key: string, column: PgColumn];

/** Adds the rows' values to the parameters and returns the set of them: `unnest(…) with ordinality as <alias>(…, ord)`. */
function unnest(rows: readonly Row[], columns: readonly Column[], alias: string, params: unknown[], extra: Record<string, number[]> = {}) {
  const arrays = columns.map(([key, column]) => {
    params.push(rows.map((row) => (row[key] === null ? null : column.mapToDriverValue(row[key]))));
    return `$${params.length}::${column.getSQLType()}[]`;
  });
  for (const numbers of Object.values(extra)) {
    params.push(numbers);
    arrays.push(`$${params.length}::int[]`);
  }
  const names = [...columns.map(([, { name }]) => name), ...Object.keys(extra), "ord"];
  return `unnest(${arrays.join(", ")}) with ordinality as ${alias}(${names.map(quoted).join(", ")})`;
}

const quoted = (name: string) => `"${name}"`;
const columnsOf = (table: PgTable, without: readonly string[]): Column[] =>
  Object.entries(getTableColumns(table)).filter(([key]) => !without.includes(key)) as Column[];

function bringEvents(events: readonly (Row & { key: Uint8Array })[], { webhookEvents: table }: Tables, params: unknown[]): string {
  const columns = columnsOf(table, ["key"]);
  params.push(Buffer.concat(events.map(({ key }) => key)));
  const key = `substring($${params.length}::bytea from (${KEY_BYTES} * (ord - 1) + 1)::int for ${KEY_BYTES})`;
  const names = columns.map(([, { name }]) => quoted(name)).join(", ");
  return `brought as (insert into "${getTableName(table)}" ("key", ${names}) select ${key}, ${names}
    from ${unnest(events, columns, "e", params)} order by ord on conflict do nothing returning "delivery_id", "key")`;
}

function logDeliveries(all: readonly AcceptedDelivery[], { webhookDeliveries: table }: Tables, params: unknown[]): string {
  const columns = columnsOf(table, ["outcome", "reason", "body", "eventKey"]);
  const bodies = all.map(({ delivery }) => delivery.body);
  params.push(Buffer.concat(bodies), Buffer.concat(all.map(({ events: [event] }) => event?.key ?? Buffer.alloc(KEY_BYTES))));
  const [body, keys] = [`$${params.length - 1}::bytea`, `$${params.length}::bytea`];
  let end = 0;
  const lengths = bodies.map(({ byteLength }) => byteLength);
  const starts = lengths.map((length) => {
    end += length;
    return end - length + 1;
  });
  const rows = unnest(
    all.map(({ delivery }) => delivery),
    columns,
    "d",
    params,
    { body_start: starts, body_length: lengths },
  );
  const names = columns.map(([, { name }]) => quoted(name));
  return `verdicts as (select d.*, case when exists (select 1 from brought where brought."delivery_id" = d."id") then 'accepted' else 'duplicate' end as verdict
    from ${rows}),
    logged as (insert into "${getTableName(table)}" (${names.join(", ")}, "outcome", "reason", "body", "event_key")
      select ${names.join(", ")}, verdict, verdict, substring(${body} from body_start for body_length),
        substring(${keys} from (${KEY_BYTES} * (ord - 1) + 1)::int for ${KEY_BYTES}) from verdicts)`;
}

function queueJobs(
  jobs: readonly (Row & { deliveryId: string; key: string })[],
  { jobs: table, webhookEvents }: Tables,
  params: unknown[],
): string {
  const columns = columnsOf(table, []);
  const names = columns.map(([, { name }]) => quoted(name)).join(", ");
  params.push(jobs.map(({ key }) => key));
  const keys = `$${params.length}::text[]`;
  const rows = unnest(jobs, [...columns, ["deliveryId", webhookEvents.deliveryId]], "j", params);
  return `queued as (insert into "${getTableName(table)}" (${names}) select ${names} from ${rows}
    where exists (select 1 from brought where brought."delivery_id" = j."delivery_id" and encode(brought."key", 'hex') = (${keys})[ord]))`;
}
