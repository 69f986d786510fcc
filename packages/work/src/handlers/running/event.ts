import type { Db } from "@gatehouse/db/query/db";
import { findStoredDelivery } from "@gatehouse/db/stores/webhooks/handler-runs";
import {
  createIncoming,
  type EndpointSettings,
  eventsOf,
  isProvider,
  type KeyedEvent,
  PROVIDERS,
  type WebhookStore,
} from "@gatehouse/webhooks";
import type { EventFacts } from "../context.ts";

/** An event with everything that its handlers are given. */
export type StoredEvent = {
  endpoint: EndpointSettings;
  key: Uint8Array;
  payload: unknown;
  /** The bytes of the whole delivery, as received. */
  body: Uint8Array;
  contentType: string;
  /** The object that the event is about. */
  objectKey: string | null;
  facts: Omit<EventFacts, "trigger" | "attempt">;
};

export type LoadDeps = {
  db: Db;
  store: Pick<WebhookStore, "findEndpoint">;
  /** The public address of the server, without a trailing slash. */
  baseUrl: string;
};

/** Why a stored delivery cannot be handled (again). For people. */
export class NotRunnable extends Error {
  override readonly name = "NotRunnable";
}

/** The events of an accepted delivery, read again from its stored bytes. Throws {@link NotRunnable}. */
export async function loadEvents(deliveryId: string, { db, store, baseUrl }: LoadDeps): Promise<StoredEvent[]> {
  const row = await findStoredDelivery(db, deliveryId);
  if (!row) throw new NotRunnable("The delivery has been deleted because of its age.");
  if (row.outcome === "rejected") throw new NotRunnable("The delivery was refused, so it brought no event.");
  if (row.source === "probe") throw new NotRunnable("The delivery is a probe of the doctor, which no handler gets.");
  if (row.body === null) throw new NotRunnable("The payload of the delivery is deleted.");
  const current = await store.findEndpoint(row.endpoint);
  if (!current) throw new NotRunnable(`The endpoint ${row.endpoint} no longer exists.`);
  if (!isProvider(current.provider)) throw new NotRunnable(`Gatehouse no longer has the provider ${current.provider}.`);

  const adapter = PROVIDERS[current.provider];
  const endpoint = asOf(current, row);
  const url = `${baseUrl}/api/webhooks/${endpoint.slug}`;
  const incoming = createIncoming(
    { method: row.method, headers: new Headers(row.headers), body: row.body, url, endpoint },
    adapter,
  );
  const whole = incoming.parsed()?.payload;
  const received = { body: row.body, contentType: row.headers["content-type"] ?? "application/json" };
  const { provider, environment, slug } = endpoint;
  const shared = { provider, endpoint: slug, environment, deliveryId, mode: row.mode, receivedAt: row.receivedAt };
  return asStored(eventsOf(incoming, adapter), row).map(({ id, type, objectKey, payload = whole, key }) => ({
    endpoint,
    key,
    payload,
    ...received,
    objectKey,
    facts: { id, type, ...shared },
  }));
}

/**
 * The endpoint as the event knows it. After a move, its API keys and the URL that it forwards to are of another
 * environment, and no event of this one may use them.
 */
function asOf(current: EndpointSettings, { environment }: Pick<EndpointSettings, "environment">): EndpointSettings {
  return current.environment === environment ? current : { ...current, environment, apiKeys: [], forward: undefined };
}

type Row = { eventId: string | null; eventType: string | null; eventKey: Uint8Array | null };

/** An unsigned event was identified by the provider's API, so its stored identity is the only one. */
function asStored(
  events: readonly KeyedEvent[],
  { eventId: id, eventType: type, eventKey: key }: Row,
): readonly KeyedEvent[] {
  const [only] = events;
  if (!only || events.length > 1 || key === null || Buffer.from(key).equals(only.key)) return events;
  return [{ ...only, id, type, key }];
}
