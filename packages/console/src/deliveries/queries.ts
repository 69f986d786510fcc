import type { Db, ReadDb, Tables } from "@gatehouse/db/query/db";
import type { Position } from "@gatehouse/db/query/page";
import {
  equalsUnindexed,
  type FoundRows,
  type ListIndex,
  mergeFound,
  SCAN_ROWS,
  type Scan,
  scanPage,
} from "@gatehouse/db/query/scan";
import { isOpen, notAccepted, OPEN_STATES, outsideProduction } from "@gatehouse/db/schema/index-conditions";
import {
  type DeliveryOutcome,
  deliveryIdsFrom,
  deliveryTime,
  ENVIRONMENTS,
  type Environment,
  type EventState,
  keyOfEventId,
  outcomeOf,
  PROVIDERS,
} from "@gatehouse/webhooks";
import { and, desc, eq, inArray, ne, type SQL, sql } from "drizzle-orm";
import type { DeliveryFilter } from "../lists/lists.ts";
import {
  type EndpointSet,
  endpointSet,
  listEndpointFacts,
  ofEndpoints,
  slugsIn,
} from "../webhook-endpoints/set-queries.ts";

type Listed =
  | "id"
  | "endpoint"
  | "environment"
  | "receivedAt"
  | "outcome"
  | "reason"
  | "status"
  | "eventType"
  | "eventId";

/** A row of the inbox, without headers and body, which are read one delivery at a time. */
export type DeliveryRow = Pick<
  Tables["webhookDeliveries"]["$inferSelect"],
  Listed | "mode" | "ackMs" | "bodyBytes" | "address" | "source"
> & {
  provider: string;
  /** The state of its event; null if it is rejected, or so old that its event is deleted. */
  handlerState: EventState | null;
  /** The last characters of the signing secret that matched. */
  secretHint: string | null;
};

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
      scanPage(db, { ...scan, ...page }, (condition, order) =>
        selectRows(db, scan.index.table, condition, order, limit + 1),
      ),
    ),
  );
  return mergeFound(found, limit);
}

/** Rows of the list, found in the table of deliveries or, if that is what the index is on, of events. */
function selectRows(
  db: ReadDb,
  from: unknown,
  condition: SQL | undefined,
  order: SQL[],
  limit: number,
): Promise<DeliveryRow[]> {
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

/** A part of the list that one index serves. Several are merged. */
type DeliveryScan = Pick<Scan, "index" | "residual">;

/** With more endpoints than this, the list is searched as a whole instead of endpoint by endpoint. */
const MOST_MERGED = 16;

type OpenState = (typeof OPEN_STATES)[number];
const isOpenState = (state: string | undefined): state is OpenState => OPEN_STATES.some((open) => open === state);

/**
 * The scans that find what a filter matches, each by the index that leaves the fewest rows to examine: the state of the
 * event, the event id, a result other than accepted, the endpoint, or an environment other than production. No scan:
 * nothing can match.
 */
async function deliveryScans(db: ReadDb, filter: DeliveryFilter): Promise<DeliveryScan[]> {
  const { tables } = db;
  const endpoints = await endpointSet(db, filter);
  const given = { ...filter, outcome: filter.outcome ?? (filter.reason && outcomeOf(filter.reason)) };
  if (endpoints.kind === "only" && endpoints.slugs.length === 0) return [];
  if (isOpenState(given.handlerState)) return [stateScan(tables, given, given.handlerState, endpoints)];
  if (given.eventId !== undefined) return eventScans(db, { ...given, eventId: given.eventId }, endpoints);
  if (given.outcome !== undefined && given.outcome !== "accepted")
    return [{ index: byOutcome(tables, given.outcome), residual: rest(tables, given, endpoints, "outcome") }];
  if (endpoints.kind === "only" && endpoints.slugs.length <= MOST_MERGED)
    return endpointScans(db, given, endpoints.slugs);
  if (isIndexed(given.environment)) return [environmentScan(tables, given, given.environment, endpoints)];
  return [{ index: byId(tables), residual: rest(tables, given, endpoints) }];
}

const order = { idsFrom: deliveryIdsFrom, timeOf: deliveryTime };

function byId({ webhookDeliveries: d }: Tables): ListIndex {
  return { table: d, id: d.id, ...order };
}

/** The environments that the partial index has. */
type Indexed = Exclude<Environment, "production">;
const isIndexed = (environment: Environment | undefined): environment is Indexed =>
  environment !== undefined && environment !== "production";

function byEnvironment({ webhookDeliveries: d }: Tables, environment: Indexed): ListIndex {
  return {
    table: d,
    id: d.id,
    ...order,
    equal: { column: d.environment, value: environment },
    partial: outsideProduction(d),
  };
}

function byEndpoint({ webhookDeliveries: d }: Tables, slug: string): ListIndex {
  return { table: d, id: d.id, ...order, equal: { column: d.endpoint, value: slug } };
}

/** Duplicates and rejected deliveries with this event id. */
function byEventId({ webhookDeliveries: d }: Tables, eventId: string): ListIndex {
  return { table: d, id: d.id, ...order, equal: { column: d.eventId, value: eventId }, partial: notAccepted(d) };
}

function byOutcome({ webhookDeliveries: d }: Tables, outcome: DeliveryOutcome): ListIndex {
  return { table: d, id: d.id, ...order, equal: { column: d.outcome, value: outcome }, partial: notAccepted(d) };
}

type Given = DeliveryFilter & { outcome?: DeliveryOutcome | undefined };

function environmentScan(tables: Tables, given: Given, environment: Indexed, endpoints: EndpointSet): DeliveryScan {
  return { index: byEnvironment(tables, environment), residual: rest(tables, given, endpoints, "environment") };
}

/**
 * Endpoint by endpoint. An endpoint that is of another environment today can have any number of rows of that one, so
 * what it received in this one is found by the environment.
 */
async function endpointScans(db: ReadDb, given: Given, slugs: readonly string[]): Promise<DeliveryScan[]> {
  const { tables } = db;
  const { environment } = given;
  const here = isIndexed(environment) ? await slugsIn(db, environment, slugs) : slugs;
  const scans = here.map((slug) => ({
    index: byEndpoint(tables, slug),
    residual: rest(tables, given, { kind: "all" }),
  }));
  const elsewhere = slugs.filter((slug) => !here.includes(slug));
  if (!isIndexed(environment) || elsewhere.length === 0) return scans;
  return [...scans, environmentScan(tables, given, environment, { kind: "only", slugs: elsewhere })];
}

/** The first deliveries of the events in this state. A delivery of several of them is listed for the first. */
function stateScan(tables: Tables, given: Given, state: OpenState, endpoints: EndpointSet): DeliveryScan {
  const { webhookEvents: e } = tables;
  const first = sql`not exists (select 1 from ${e} as earlier where earlier.state = ${state} and ${isOpen({ state: sql`earlier.state` })}
    and earlier.delivery_id = ${e.deliveryId} and earlier.endpoint = ${e.endpoint} and earlier.key < ${e.key})`;
  return {
    index: { table: e, id: e.deliveryId, ...order, equal: { column: e.state, value: state }, partial: isOpen(e) },
    residual: and(first, rest(tables, given, endpoints, "handlerState")),
  };
}

/**
 * All deliveries of an event: the one that brought it, found by the event's key; its duplicates and rejected ones,
 * which have an index of their own. An event that is stored under another key than its id is searched for among all
 * deliveries.
 */
async function eventScans(
  db: ReadDb,
  given: Given & { eventId: string },
  endpoints: EndpointSet,
): Promise<DeliveryScan[]> {
  const { tables } = db;
  const { outcome, eventId } = given;
  const first = await firstDeliveries(db, eventId, endpoints);
  const accepted = rest(tables, { ...given, outcome: "accepted" }, endpoints);
  const repeats = {
    index: byEventId(tables, eventId),
    residual: rest(tables, { ...given, eventId: undefined }, endpoints),
  };
  if (outcome !== undefined && outcome !== "accepted") return [repeats];
  const ofIds = { ...byId(tables), partial: inArray(tables.webhookDeliveries.id, first) };
  return [
    { index: first.length === 0 ? byId(tables) : ofIds, residual: accepted },
    ...(outcome === undefined ? [repeats] : []),
  ];
}

/** The deliveries that first brought an event with this id: one of each endpoint and environment at most. */
async function firstDeliveries(db: ReadDb, eventId: string, endpoints: EndpointSet): Promise<string[]> {
  const { webhookEvents: e } = db.tables;
  const everywhere = async () => [...Object.keys(PROVIDERS), ...(await listEndpointFacts(db)).map(({ slug }) => slug)];
  const slugs = endpoints.kind === "only" ? endpoints.slugs : await everywhere();
  const keys = ENVIRONMENTS.map((environment) => Buffer.from(keyOfEventId(eventId, environment)));
  const rows = await db
    .select({ deliveryId: e.deliveryId })
    .from(e)
    .where(and(inArray(e.endpoint, [...slugs]), inArray(e.key, keys)));
  return rows.map(({ deliveryId }) => deliveryId);
}

/** The part of the filter that the index does not serve. */
function rest(
  { webhookDeliveries: d, webhookEvents: e }: Tables,
  given: Given,
  endpoints: EndpointSet,
  served?: "outcome" | "handlerState" | "environment",
): SQL | undefined {
  const { outcome, reason, eventType, eventId, handlerState, environment, probes } = given;
  return and(
    served === "outcome" ? undefined : equalsUnindexed(d.outcome, outcome),
    equalsUnindexed(d.reason, reason),
    equalsUnindexed(d.eventType, eventType),
    equalsUnindexed(d.eventId, eventId),
    served === "environment" ? undefined : equalsUnindexed(d.environment, environment),
    // Not a plain comparison, which would let SQLite start from the events.
    served === "handlerState" || handlerState === undefined
      ? undefined
      : sql`coalesce(${e.state}, '') = ${handlerState}`,
    probes === "hidden" ? ne(d.source, "probe") : undefined,
    probes === "only" ? equalsUnindexed(d.source, "probe") : undefined,
    ofEndpoints(d.endpoint, endpoints),
  );
}
