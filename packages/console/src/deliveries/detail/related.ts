import { type Adapter, ENVIRONMENTS, explainDuplicate, explainTwin, keyOfEventId } from "@gatehouse/webhooks";
import type { OperationDeps } from "../../deps.ts";
import { type OpenedDelivery, openDelivery } from "./opened-delivery.ts";
import {
  findBriefDeliveries,
  findEventAtEndpoints,
  listDuplicates,
  listEndpointSlugs,
  listNeighbours,
} from "./queries.ts";
import { incomingOf } from "./signature.ts";

/** How many duplicates are examined. */
const MAX_DUPLICATES = 5_000;
/** What is searched for the same object: this many deliveries before and after, with bodies up to this size. */
const NEARBY = { count: 100, maxBytes: 32 * 1024 };
const MAX_LISTED = 50;

type Part = Pick<OperationDeps, "db" | "reads" | "config">;
type Brief = Awaited<ReturnType<typeof findBriefDeliveries>>[number];

/**
 * The deliveries that belong to one: others of its event, at this endpoint and at the provider's other ones, and events
 * about the same object. Each search is bounded. Throws `not_found`.
 */
export async function listRelatedDeliveries(id: string, deps: Part) {
  const opened = await openDelivery(id, deps);
  const [{ deliveries, complete }, elsewhere, { object, same, searched }] = await Promise.all([
    deliveriesOfEvent(opened, deps),
    eventElsewhere(opened, deps),
    deliveriesOfObject(opened, deps),
  ]);
  return {
    deliveries: deliveries.map(brief),
    complete,
    elsewhere: elsewhere.map(brief),
    object,
    sameObject: same.map(brief),
    searched,
    explanation: whyAgain(opened, [...deliveries, ...elsewhere]),
    twin: twinOf(opened, object, same),
  };
}

/** Null unless the delivery is a duplicate. */
function whyAgain({ row, adapter }: OpenedDelivery, ofEvent: readonly Brief[]): string | null {
  if (row.outcome !== "duplicate" || !adapter) return null;
  const earlier = ofEvent.filter(({ id }) => id < row.id).sort((a, b) => (a.id < b.id ? -1 : 1));
  return explainDuplicate(row, earlier, adapter).sentence;
}

function twinOf({ row, adapter }: OpenedDelivery, object: string | null, others: readonly Brief[]): string | null {
  if (!adapter || object === null) return null;
  const seen = (delivery: Pick<Brief, "eventId" | "eventType" | "receivedAt">) => ({ ...delivery, objectKey: object });
  return (
    others.map((other) => explainTwin(seen(row), seen(other), adapter)).find((sentence) => sentence !== null) ?? null
  );
}

/** Every delivery of the event at this endpoint, oldest first. */
async function deliveriesOfEvent({ row }: OpenedDelivery, { db, reads }: Part) {
  const { endpoint, eventKey } = row;
  const [event] = eventKey ? await findEventAtEndpoints(db, [endpoint], [eventKey]) : [];
  if (!event || !eventKey) return { deliveries: [], complete: true };
  const { ids, complete } = await listDuplicates(
    reads,
    { endpoint, eventKey, after: event.deliveryId },
    MAX_DUPLICATES,
  );
  const listed = [event.deliveryId, ...ids.slice(0, MAX_LISTED)];
  return { deliveries: await findBriefDeliveries(db, listed), complete: complete && ids.length <= MAX_LISTED };
}

/** The same event at the provider's other endpoints, in any environment if it has an id. */
async function eventElsewhere({ row, provider }: OpenedDelivery, { db }: Part) {
  if (!row.eventKey) return [];
  const slugs = new Set([provider, ...(await listEndpointSlugs(db, provider))]);
  slugs.delete(row.endpoint);
  const { eventId } = row;
  const elsewhere =
    eventId === null ? [] : ENVIRONMENTS.map((environment) => Buffer.from(keyOfEventId(eventId, environment)));
  const events = await findEventAtEndpoints(db, [...slugs], [row.eventKey, ...elsewhere]);
  return findBriefDeliveries(
    db,
    events.map(({ deliveryId }) => deliveryId),
  );
}

/** Deliveries near this one, in time, whose event is about the same object. */
async function deliveriesOfObject(opened: OpenedDelivery, { reads, config }: Part) {
  const { row, adapter } = opened;
  const object = adapter ? objectOf(adapter, opened, config.issuer) : null;
  if (!adapter || object === null) return { object: null, same: [], searched: 0 };
  const { searched, requests } = await listNeighbours(reads, row, NEARBY);
  const same = requests.filter(({ body, method, headers, eventKey }) => {
    const isRepeat = row.eventKey !== null && eventKey?.equals(row.eventKey) === true;
    return (
      !isRepeat && objectOf(adapter, { ...opened, row: { ...row, body, method, headers } }, config.issuer) === object
    );
  });
  return { object, same: same.slice(0, MAX_LISTED), searched };
}

function objectOf(adapter: Adapter, opened: OpenedDelivery, issuer: string): string | null {
  const incoming = incomingOf(opened, issuer);
  return adapter.identify(incoming, incoming.parsed()?.payload)[0].objectKey;
}

function brief({ id, endpoint, receivedAt, outcome, reason, eventType, eventId }: Brief) {
  return { id, endpoint, receivedAt, outcome, reason, eventType, eventId };
}
