import type { ReadDb, Tables } from "@gatehouse/db/query/db";
import { equalsUnindexed, type ListIndex, type Scan } from "@gatehouse/db/query/scan";
import { isOpen, notAccepted, OPEN_STATES, outsideProduction } from "@gatehouse/db/schema/index-conditions";
import {
  type DeliveryOutcome,
  deliveryIdsFrom,
  deliveryTime,
  ENVIRONMENTS,
  type Environment,
  keyOfEventId,
  outcomeOf,
  PROVIDERS,
} from "@gatehouse/webhooks";
import { and, inArray, type SQL, sql } from "drizzle-orm";
import type { DeliveryFilter } from "../lists/lists.ts";
import { type EndpointSet, endpointSet, listEndpointFacts, slugsIn } from "../webhook-endpoints/set-queries.ts";

/** A part of the list that one index serves. Several are merged. */
export type DeliveryScan = Pick<Scan, "index" | "residual">;

/** With more endpoints than this, the list is searched as a whole instead of endpoint by endpoint. */
const MOST_MERGED = 16;

type OpenState = (typeof OPEN_STATES)[number];
const isOpenState = (state: string | undefined): state is OpenState => OPEN_STATES.some((open) => open === state);

/**
 * The scans that find what a filter matches, each by the index that leaves the fewest rows to examine: the state of the event, the event id,
 * a result other than accepted, the endpoint, or an environment other than production. No scan: nothing can match.
 */
export async function deliveryScans(db: ReadDb, filter: DeliveryFilter): Promise<DeliveryScan[]> {
  const { tables } = db;
  const endpoints = await endpointSet(db, filter);
  const given = { ...filter, outcome: filter.outcome ?? (filter.reason && outcomeOf(filter.reason)) };
  if (endpoints.kind === "only" && endpoints.slugs.length === 0) return [];
  if (isOpenState(given.handlerState)) return [stateScan(tables, given, given.handlerState, endpoints)];
  if (given.eventId !== undefined) return eventScans(db, { ...given, eventId: given.eventId }, endpoints);
  if (given.outcome !== undefined && given.outcome !== "accepted")
    return [{ index: byOutcome(tables, given.outcome), residual: rest(tables, given, endpoints, "outcome") }];
  if (endpoints.kind === "only" && endpoints.slugs.length <= MOST_MERGED) return endpointScans(db, given, endpoints.slugs);
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
 * Endpoint by endpoint. An endpoint that is of another environment today can have any number of rows of that one, so what it received in this
 * one is found by the environment.
 */
async function endpointScans(db: ReadDb, given: Given, slugs: readonly string[]): Promise<DeliveryScan[]> {
  const { tables } = db;
  const { environment } = given;
  const here = isIndexed(environment) ? await slugsIn(db, environment, slugs) : slugs;
  const scans = here.map((slug) => ({ index: byEndpoint(tables, slug), residual: rest(tables, given, { kind: "all" }) }));
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
 * All deliveries of an event: the one that brought it, found by the event's key; its duplicates and rejected ones, which have an index of
 * their own. An event that is stored under another key than its id is searched for among all deliveries.
 */
async function eventScans(db: ReadDb, given: Given & { eventId: string }, endpoints: EndpointSet): Promise<DeliveryScan[]> {
  const { tables } = db;
  const { outcome, eventId } = given;
  const first = await firstDeliveries(db, eventId, endpoints);
  const accepted = rest(tables, { ...given, outcome: "accepted" }, endpoints);
  const repeats = { index: byEventId(tables, eventId), residual: rest(tables, { ...given, eventId: undefined }, endpoints) };
  if (outcome !== undefined && outcome !== "accepted") return [repeats];
  const ofIds = { ...byId(tables), partial: inArray(tables.webhookDeliveries.id, first) };
  return [{ index: first.length === 0 ? byId(tables) : ofIds, residual: accepted }, ...(outcome === undefined ? [repeats] : [])];
}

/** The deliveries that first brought an event with this id: one of each endpoint and environment at most. */
async function firstDeliveries(db: ReadDb, eventId: string, endpoints: EndpointSet): Promise<string[]> {
  const { tables } = db;
  const { webhookEvents: e } = tables;
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
  const { outcome, reason, eventType, eventId, handlerState, environment } = given;
  return and(
    served === "outcome" ? undefined : equalsUnindexed(d.outcome, outcome),
    equalsUnindexed(d.reason, reason),
    equalsUnindexed(d.eventType, eventType),
    equalsUnindexed(d.eventId, eventId),
    served === "environment" ? undefined : equalsUnindexed(d.environment, environment),
    // Not a plain comparison, which would let SQLite start from the events.
    served === "handlerState" || handlerState === undefined ? undefined : sql`coalesce(${e.state}, '') = ${handlerState}`,
    ofEndpoints(d, endpoints),
  );
}

/** In a form that no index serves. */
function ofEndpoints({ endpoint }: Tables["webhookDeliveries"], set: EndpointSet): SQL | undefined {
  if (set.kind === "all") return undefined;
  const list = sql.join(
    set.slugs.map((slug) => sql`${slug}`),
    sql`, `,
  );
  return sql`${endpoint} || '' in (${list})`;
}
