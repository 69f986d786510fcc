import type { DeliveryFilter } from "@gatehouse/lists";
import { type DeliveryOutcome, deliveryIdsFrom, deliveryTime, eventKeyOf, outcomeOf, PROVIDERS } from "@gatehouse/webhooks";
import { and, eq, inArray, type SQL, sql } from "drizzle-orm";
import type { ReadHandle, Tables } from "../query/handle.ts";
import { type EndpointSet, endpointSet, listEndpointFacts } from "./endpoint-sets.ts";
import { judged, type ListIndex, type Scan } from "./scan.ts";

/** A part of the list that one index serves. Several are merged. */
export type DeliveryScan = Pick<Scan, "index" | "residual">;

/** With more endpoints than this, the list is searched as a whole instead of endpoint by endpoint. */
const MOST_MERGED = 16;

/** The states that the partial index on events has: those that somebody waits for. */
const OPEN_STATES = ["pending", "failed", "dead"] as const;
type OpenState = (typeof OPEN_STATES)[number];
const isOpen = (state: string | undefined): state is OpenState => OPEN_STATES.some((open) => open === state);

/**
 * The scans that find what a filter matches, each by the index that leaves the fewest rows to examine: the state of the event, the event id,
 * a result other than accepted, or the endpoint. No scan: nothing can match.
 */
export async function deliveryScans(handle: ReadHandle, filter: DeliveryFilter): Promise<DeliveryScan[]> {
  const { tables } = handle;
  const endpoints = await endpointSet(handle, filter);
  const given = { ...filter, outcome: filter.outcome ?? (filter.reason && outcomeOf(filter.reason)) };
  if (endpoints.kind === "only" && endpoints.slugs.length === 0) return [];
  if (isOpen(given.handlerState)) return [stateScan(tables, given, given.handlerState, endpoints)];
  if (given.eventId !== undefined) return eventScans(handle, { ...given, eventId: given.eventId }, endpoints);
  if (given.outcome !== undefined && given.outcome !== "accepted")
    return [{ index: byOutcome(tables, given.outcome), residual: rest(tables, given, endpoints, "outcome") }];
  if (endpoints.kind === "only" && endpoints.slugs.length <= MOST_MERGED)
    return endpoints.slugs.map((slug) => ({ index: byEndpoint(tables, slug), residual: rest(tables, given, { kind: "all" }) }));
  return [{ index: byId(tables), residual: rest(tables, given, endpoints) }];
}

const order = { idsFrom: deliveryIdsFrom, timeOf: deliveryTime };

function byId({ webhookDeliveries: d }: Tables): ListIndex {
  return { table: d, id: d.id, ...order };
}

function byEndpoint({ webhookDeliveries: d }: Tables, slug: string): ListIndex {
  return { table: d, id: d.id, ...order, equal: { column: d.endpoint, value: slug } };
}

/** Duplicates and rejected deliveries with this event id. */
function byEventId({ webhookDeliveries: d }: Tables, eventId: string): ListIndex {
  return { table: d, id: d.id, ...order, equal: { column: d.eventId, value: eventId }, partial: sql`${d.outcome} <> 'accepted'` };
}

function byOutcome({ webhookDeliveries: d }: Tables, outcome: DeliveryOutcome): ListIndex {
  return { table: d, id: d.id, ...order, equal: { column: d.outcome, value: outcome }, partial: sql`${d.outcome} <> 'accepted'` };
}

type Given = DeliveryFilter & { outcome?: DeliveryOutcome | undefined };

/** The first deliveries of the events in this state. A delivery of several of them is listed for the first. */
function stateScan(tables: Tables, given: Given, state: OpenState, endpoints: EndpointSet): DeliveryScan {
  const { webhookEvents: e } = tables;
  const partial = sql`${e.state} in ('pending', 'failed', 'dead')`;
  const first = sql`not exists (select 1 from ${e} as earlier where earlier.state = ${state} and earlier.state in ('pending', 'failed', 'dead')
    and earlier.delivery_id = ${e.deliveryId} and earlier.endpoint = ${e.endpoint} and earlier.key < ${e.key})`;
  return {
    index: { table: e, id: e.deliveryId, ...order, equal: { column: e.state, value: state }, partial },
    residual: and(first, rest(tables, given, endpoints, "handlerState")),
  };
}

/**
 * All deliveries of an event: the one that brought it, found by the event's key; its duplicates and rejected ones, which have an index of
 * their own. An event that is stored under another key than its id is searched for among all deliveries.
 */
async function eventScans(handle: ReadHandle, given: Given & { eventId: string }, endpoints: EndpointSet): Promise<DeliveryScan[]> {
  const { tables } = handle;
  const { outcome, eventId } = given;
  const first = await firstDeliveries(handle, eventId, endpoints);
  const accepted = rest(tables, { ...given, outcome: "accepted" }, endpoints);
  const repeats = { index: byEventId(tables, eventId), residual: rest(tables, { ...given, eventId: undefined }, endpoints) };
  if (outcome !== undefined && outcome !== "accepted") return [repeats];
  const ofIds = { ...byId(tables), partial: inArray(tables.webhookDeliveries.id, first) };
  return [{ index: first.length === 0 ? byId(tables) : ofIds, residual: accepted }, ...(outcome === undefined ? [repeats] : [])];
}

/** The deliveries that first brought an event with this id, one of each endpoint at most. */
async function firstDeliveries(handle: ReadHandle, eventId: string, endpoints: EndpointSet): Promise<string[]> {
  const { db, tables } = handle;
  const { webhookEvents: e } = tables;
  const everywhere = async () => [...Object.keys(PROVIDERS), ...(await listEndpointFacts(handle)).map(({ slug }) => slug)];
  const slugs = endpoints.kind === "only" ? endpoints.slugs : await everywhere();
  const key = Buffer.from(eventKeyOf(`id:${eventId}`));
  const rows = await db
    .select({ deliveryId: e.deliveryId })
    .from(e)
    .where(and(inArray(e.endpoint, [...slugs]), eq(e.key, key)));
  return rows.map(({ deliveryId }) => deliveryId);
}

/** The part of the filter that the index does not serve. */
function rest(
  { webhookDeliveries: d, webhookEvents: e }: Tables,
  given: Given,
  endpoints: EndpointSet,
  served?: "outcome" | "handlerState",
): SQL | undefined {
  const { outcome, reason, eventType, eventId, handlerState } = given;
  return and(
    served === "outcome" ? undefined : judged(d.outcome, outcome),
    judged(d.reason, reason),
    judged(d.eventType, eventType),
    judged(d.eventId, eventId),
    // Not a plain comparison, which would let SQLite start from the events.
    served === "handlerState" || handlerState === undefined ? undefined : sql`coalesce(${e.state}, '') = ${handlerState}`,
    ofEndpoints(d, endpoints),
  );
}

/** In a form that no index serves. */
function ofEndpoints({ endpoint }: Tables["webhookDeliveries"], set: EndpointSet): SQL | undefined {
  if (set.kind === "all" || (set.kind === "except" && set.slugs.length === 0)) return undefined;
  const list = sql.join(
    set.slugs.map((slug) => sql`${slug}`),
    sql`, `,
  );
  return sql`${endpoint} || '' ${sql.raw(set.kind === "only" ? "in" : "not in")} (${list})`;
}
