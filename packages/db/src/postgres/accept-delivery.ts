import { type DeliveredEvent, EVENT_KEY_BYTES } from "@gatehouse/webhooks";
import { Column as AnyColumn, getTableColumns, getTableName } from "drizzle-orm";
import type { PgColumn, PgTable } from "drizzle-orm/pg-core";
import { batch } from "../query/batching.ts";
import type { Db, Tables, Write } from "../query/db.ts";
import { type Accept, type AcceptedDelivery, jobRowsOf, stateOf, toBuffer } from "../stores/webhooks/delivery-rows.ts";

const NO_KEY = Buffer.alloc(EVENT_KEY_BYTES);

/** Bounds the memory of a statement: a body has up to 1 MiB. */
const MAX_DELIVERIES = 64;

/** On PostgreSQL, where each statement is a round trip: the deliveries of one turn of the event loop in one. */
export function createAccept({ tables, transaction }: Pick<Db, "tables" | "transaction">): Accept {
  const statementOf = compileAccept(tables);
  const accept = batch(async (all: readonly AcceptedDelivery[]) => {
    const [rows = []] = await transaction([statementOf(all)]);
    const brought = new Set(rows.map(([deliveryId]) => deliveryId));
    return all.map(({ delivery }) => brought.has(delivery.id));
  }, MAX_DELIVERIES);
  return (delivery, events) => accept({ delivery, events });
}

/**
 * Compiles one statement for any number of deliveries: it adds the events that are new, every delivery with its
 * verdict, and the jobs of the new events. It returns the id of the delivery for each new event. Rows travel as an
 * array for each column; bodies and keys as one value each, since a byte array inside an array is sent as hexadecimal
 * text.
 */
function compileAccept(tables: Tables): (all: readonly AcceptedDelivery[]) => Write {
  const { webhookDeliveries: table, webhookEvents, jobs } = tables;
  const eventColumns = columnsOf(webhookEvents, ["key"]);
  const deliveryColumns = columnsOf(table, ["outcome", "reason", "body", "eventKey"]);
  const jobColumns = [...columnsOf(jobs, []), columnOf("deliveryId", webhookEvents.deliveryId)];

  const place = parameters();
  const written = [bringEvents(webhookEvents, eventColumns, place), logDeliveries(table, deliveryColumns, place)];
  const textOf = (parts: readonly string[]) => `with ${parts.join(", ")} select "delivery_id" from brought`;
  const plain = textOf(written);
  const withJobs = textOf([...written, queueJobs(jobs, jobColumns, place)]);

  return (all) => {
    const events = eventRowsOf(all);
    const params = [
      Buffer.concat(events.map(({ key }) => key)),
      ...arraysOf(events, eventColumns),
      Buffer.concat(all.map(({ delivery }) => delivery.body)),
      Buffer.concat(all.map(({ events: [event] }) => event?.key ?? NO_KEY)),
      ...arraysOf(
        all.map(({ delivery }) => delivery),
        deliveryColumns,
      ),
      ...bodyPlaces(all),
    ];
    const queued = jobsOf(all);
    if (queued.length === 0) return { name: "accept_deliveries", sql: plain, params, table };
    params.push(queued.map(({ key }) => key));
    params.push(...arraysOf(queued, jobColumns));
    return { name: "accept_deliveries_with_jobs", sql: withJobs, params, table };
  };
}

/**
 * Sorted by key, so that two statements with the same events lock them in the same order. Of equal keys, the first
 * arrival stays first.
 */
function eventRowsOf(all: readonly AcceptedDelivery[]) {
  const rows = all.flatMap(({ delivery, events }) =>
    events.map((event) => ({
      endpoint: delivery.endpoint,
      key: event.key,
      deliveryId: delivery.id,
      receivedAt: delivery.receivedAt,
      eventType: event.type,
      state: stateOf(event),
    })),
  );
  return rows.sort((one, other) => Buffer.compare(one.key, other.key) || compare(one.endpoint, other.endpoint));
}

const compare = (one: string, other: string) => (one < other ? -1 : one > other ? 1 : 0);

const jobsOf = (all: readonly AcceptedDelivery[]) =>
  all.flatMap(({ delivery, events }) =>
    events.flatMap((event, at) =>
      jobRowsOf(delivery, event, at).map((row) => ({ ...row, deliveryId: delivery.id, key: hexOf(event) })),
    ),
  );
const hexOf = ({ key }: DeliveredEvent) => toBuffer(key).toString("hex");

/** Where each body starts in all of them together, counted from 1, and its length. */
function bodyPlaces(all: readonly AcceptedDelivery[]): [starts: number[], lengths: number[]] {
  let end = 0;
  const lengths = all.map(({ delivery: { body } }) => body.byteLength);
  const starts = lengths.map((length) => {
    end += length;
    return end - length + 1;
  });
  return [starts, lengths];
}

type Row = Readonly<Record<string, unknown>>;
type Column = { key: string; name: string; type: string; encode: ((value: unknown) => unknown) | undefined };

function columnOf(key: string, column: PgColumn): Column {
  const encodes = column.mapToDriverValue !== AnyColumn.prototype.mapToDriverValue;
  const encode = encodes ? (value: unknown) => (value === null ? null : column.mapToDriverValue(value)) : undefined;
  return { key, name: `"${column.name}"`, type: column.getSQLType(), encode };
}

const columnsOf = (table: PgTable, without: readonly string[]): Column[] =>
  Object.entries(getTableColumns(table)).flatMap(([key, column]) =>
    without.includes(key) ? [] : [columnOf(key, column)],
  );

const arraysOf = (rows: readonly Row[], columns: readonly Column[]): unknown[][] =>
  columns.map(({ key, encode }) => rows.map(encode ? (row) => encode(row[key]) : (row) => row[key]));

/** The next parameter of the statement, each time it is called. */
type NextParameter = () => string;

function parameters(): NextParameter {
  let given = 0;
  return () => {
    given += 1;
    return `$${given}`;
  };
}

const namesOf = (columns: readonly Column[]) => columns.map(({ name }) => name).join(", ");

/** The set of rows: `unnest(…) with ordinality as <alias>(…, ord)`. */
function unnest(columns: readonly Pick<Column, "name" | "type">[], alias: string, place: NextParameter): string {
  const arrays = columns.map(({ type }) => `${place()}::${type}[]`).join(", ");
  return `unnest(${arrays}) with ordinality as ${alias}(${columns.map(({ name }) => name).join(", ")}, ord)`;
}

const keyAt = (parameter: string) =>
  `substring(${parameter}::bytea from (${EVENT_KEY_BYTES} * (ord - 1) + 1)::int for ${EVENT_KEY_BYTES})`;

function bringEvents(table: PgTable, columns: readonly Column[], place: NextParameter): string {
  const key = keyAt(place());
  const names = namesOf(columns);
  return `brought as (insert into "${getTableName(table)}" ("key", ${names}) select ${key}, ${names}
    from ${unnest(columns, "e", place)} order by ord on conflict do nothing returning "delivery_id", "key")`;
}

function logDeliveries(table: PgTable, columns: readonly Column[], place: NextParameter): string {
  const body = `substring(${place()}::bytea from body_start for body_length)`;
  const key = keyAt(place());
  const places = ["body_start", "body_length"].map((name) => ({ name, type: "int" }));
  const names = namesOf(columns);
  return `verdicts as (select d.*, case when exists (select 1 from brought where brought."delivery_id" = d."id") then 'accepted' else 'duplicate' end as verdict
    from ${unnest([...columns, ...places], "d", place)}),
    logged as (insert into "${getTableName(table)}" (${names}, "outcome", "reason", "body", "event_key")
      select ${names}, verdict, verdict, ${body}, ${key} from verdicts)`;
}

function queueJobs(table: PgTable, columns: readonly Column[], place: NextParameter): string {
  const keys = `${place()}::text[]`;
  const names = namesOf(columns.slice(0, -1)); // the last one is the event's delivery
  return `queued as (insert into "${getTableName(table)}" (${names}) select ${names} from ${unnest(columns, "j", place)}
    where exists (select 1 from brought where brought."delivery_id" = j."delivery_id" and encode(brought."key", 'hex') = (${keys})[ord]))`;
}
