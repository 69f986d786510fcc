import { findBriefDeliveries, findEventAtEndpoints, listDuplicates, listEndpointSlugs, listNeighbours } from "@gatehouse/db";
import type { Adapter } from "@gatehouse/webhooks";
import type { OperationDeps } from "../../deps.ts";
import { type OpenedDelivery, openDelivery } from "./delivery.ts";
import { incomingOf } from "./signature.ts";

/** How many duplicates are examined. */
const MAX_DUPLICATES = 5_000;
/** What is searched for the same object: this many deliveries before and after, with bodies up to this size. */
const NEARBY = { count: 100, maxBytes: 32 * 1024 };
const MAX_LISTED = 50;

type Part = Pick<OperationDeps, "handle" | "reads" | "config">;
type Brief = Awaited<ReturnType<typeof findBriefDeliveries>>[number];

/**
 * The deliveries that belong to one: others of its event, at this endpoint and at the provider's other ones, and events about the same
 * object. Each search is bounded. Throws `not_found`.
 */
export async function listRelatedDeliveries(id: string, deps: Part) {
  const opened = await openDelivery(id, deps);
  const [sameEvent, elsewhere, sameObject] = await Promise.all([
    deliveriesOfEvent(opened, deps),
    eventElsewhere(opened, deps),
    deliveriesOfObject(opened, deps),
  ]);
  return { ...sameEvent, elsewhere, ...sameObject };
}

/** Every delivery of the event at this endpoint, oldest first. */
async function deliveriesOfEvent({ row }: OpenedDelivery, { handle, reads }: Part) {
  const { endpoint, eventKey } = row;
  const [event] = eventKey ? await findEventAtEndpoints(handle, [endpoint], eventKey) : [];
  if (!event || !eventKey) return { deliveries: [], complete: true };
  const { ids, complete } = await listDuplicates(reads, { endpoint, eventKey, after: event.deliveryId }, MAX_DUPLICATES);
  const listed = [event.deliveryId, ...ids.slice(0, MAX_LISTED)];
  return { deliveries: (await findBriefDeliveries(handle, listed)).map(brief), complete: complete && ids.length <= MAX_LISTED };
}

/** The same event at the provider's other endpoints. */
async function eventElsewhere({ row, provider }: OpenedDelivery, { handle }: Part) {
  if (!row.eventKey) return [];
  const slugs = new Set([provider, ...(await listEndpointSlugs(handle, provider))]);
  slugs.delete(row.endpoint);
  const events = await findEventAtEndpoints(handle, [...slugs], row.eventKey);
  return (
    await findBriefDeliveries(
      handle,
      events.map(({ deliveryId }) => deliveryId),
    )
  ).map(brief);
}

/** Deliveries near this one, in time, whose event is about the same object. */
async function deliveriesOfObject(opened: OpenedDelivery, { reads, config }: Part) {
  const { row, adapter } = opened;
  const object = adapter ? objectOf(adapter, opened, config.issuer) : null;
  if (!adapter || object === null) return { object: null, sameObject: [], searched: 0 };
  const { searched, requests } = await listNeighbours(reads, row, NEARBY);
  const same = requests.filter(({ body, method, headers, eventKey }) => {
    const isRepeat = row.eventKey !== null && eventKey?.equals(row.eventKey) === true;
    return !isRepeat && objectOf(adapter, { ...opened, row: { ...row, body, method, headers } }, config.issuer) === object;
  });
  return { object, sameObject: same.slice(0, MAX_LISTED).map(brief), searched };
}

function objectOf(adapter: Adapter, opened: OpenedDelivery, issuer: string): string | null {
  const incoming = incomingOf(opened, issuer);
  return adapter.identify(incoming, incoming.parsed()?.payload)[0].objectKey;
}

function brief({ id, endpoint, receivedAt, outcome, reason, eventType, eventId }: Brief) {
  return { id, endpoint, receivedAt, outcome, reason, eventType, eventId };
}
