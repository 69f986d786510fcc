import type { Db } from "@gatehouse/db/query/db";
import { listKnownEventKeys } from "@gatehouse/db/stores/webhooks/handler-runs";
import {
  createIncoming,
  type DeliveredEvent,
  type Delivery,
  type EndpointSettings,
  eventsOf,
  keyOfEventId,
  mintDeliveryId,
  PROVIDERS,
  type ProviderSlug,
  type WebhookStore,
} from "@gatehouse/webhooks";
import type { Handlers } from "../define.ts";
import { jobsOfEvent } from "../running/jobs-of-event.ts";
import type { ListedEvent } from "./reconciler.ts";

export type RecoverDeps = {
  db: Db;
  store: Pick<WebhookStore, "findEndpoint" | "acceptDelivery">;
  handlers: Handlers;
  baseUrl: string;
  /** Unix seconds. */
  now: () => number;
  /** Unix milliseconds with fractions. */
  nowMs: () => number;
  random: (length: number) => Uint8Array;
};

/**
 * Stores those of the listed events that never came, as deliveries with the source `reconcile`. Returns how many there
 * were.
 */
export async function recoverEvents(
  endpoint: EndpointSettings,
  listed: readonly ListedEvent[],
  deps: RecoverDeps,
): Promise<number> {
  const keyed = listed.map((event) => ({ event, key: Buffer.from(keyOfEventId(event.id, endpoint.environment)) }));
  const known = await listKnownEventKeys(deps.db, { endpoint: endpoint.slug, keys: keyed.map(({ key }) => key) });
  const knownKeys = new Set(known.map((key) => Buffer.from(key).toString("hex")));
  let recovered = 0;
  // Oldest first: providers list the newest first, and handlers should see events in order.
  for (const { event, key } of keyed.toReversed()) {
    if (knownKeys.has(key.toString("hex"))) continue;
    const { headers, body } = await event.load();
    if (await store(endpoint, headers, Buffer.from(body), deps)) recovered += 1;
  }
  return recovered;
}

function store(
  endpoint: EndpointSettings,
  headers: Record<string, string>,
  body: Uint8Array,
  deps: RecoverDeps,
): Promise<boolean> {
  const { slug, provider, environment, forward } = endpoint;
  const adapter = PROVIDERS[provider as ProviderSlug];
  const url = `${deps.baseUrl}/api/webhooks/${slug}`;
  const incoming = createIncoming({ method: "GET", headers: new Headers(headers), body, url, endpoint }, adapter);
  const delivered = ({
    key,
    id,
    type,
    objectKey,
    mode,
    payload = incoming.parsed()?.payload,
  }: ReturnType<typeof eventsOf>[number]) => {
    const about = { provider, endpoint: slug, environment, forward };
    const handlers = jobsOfEvent(deps.handlers, { ...about, type, objectKey, payload });
    return { key, id, type, objectKey, mode, handlers } satisfies DeliveredEvent;
  };
  const events = eventsOf(incoming, adapter).map(delivered);
  const delivery: Delivery = {
    id: mintDeliveryId(deps.nowMs(), deps.random),
    endpoint: slug,
    environment,
    receivedAt: deps.now(),
    method: "GET",
    outcome: "accepted",
    reason: "accepted",
    status: 200,
    eventType: events[0]?.type ?? null,
    eventId: events[0]?.id ?? null,
    mode: events[0]?.mode ?? null,
    secretId: null,
    skewSeconds: null,
    headers,
    body,
    bodyBytes: body.byteLength,
    ackMs: 0,
    address: null,
    source: "reconcile",
  };
  return deps.store.acceptDelivery(delivery, events);
}
