import { createHash } from "node:crypto";
import { eventKeyOf } from "./dedupe.ts";
import type { EndpointSettings, Environment } from "./endpoint.ts";
import type { Incoming } from "./incoming.ts";
import type { Adapter, EventIdentity } from "./providers/adapter.ts";

/** An event with the key that every delivery of it has. */
export type KeyedEvent = EventIdentity & { key: Uint8Array };

/** What handlers are chosen by. `payload` is the event's own part of a batch. */
export type EventToHandle = {
  provider: string;
  /** The slug of the endpoint. */
  endpoint: string;
  environment: Environment;
  forward: EndpointSettings["forward"];
  type: string | null;
  objectKey: string | null;
  payload: unknown;
};

/** The events of a parsable delivery, with their keys. */
export function eventsOf(
  incoming: Incoming,
  adapter: Pick<Adapter, "identify">,
): readonly [KeyedEvent, ...KeyedEvent[]] {
  return withKeys(adapter.identify(incoming, incoming.parsed()?.payload), incoming);
}

/**
 * Identified events with their keys: by what the adapter says, else by the event's id, else by the hash of the body. An
 * event that a batch contains twice is returned once. Each environment has events of its own: what was sent before an
 * endpoint moved to production makes nothing a duplicate there.
 */
export function withKeys(
  [first, ...rest]: readonly [EventIdentity, ...EventIdentity[]],
  { body, endpoint: { environment } }: Pick<Incoming, "body" | "endpoint">,
): readonly [KeyedEvent, ...KeyedEvent[]] {
  let hash: string | undefined;
  const dedupeKey = ({ id, dedupeText }: EventIdentity, at: number) => {
    if (dedupeText !== undefined) return `text:${dedupeText}`;
    if (id !== null) return dedupeKeyOfId(id);
    hash ??= createHash("sha256").update(body).digest("base64url");
    return at === 0 ? `body:${hash}` : `body:${hash}:${at}`;
  };
  const keyed = (identity: EventIdentity, text: string): KeyedEvent => ({
    ...identity,
    key: eventKeyOf(within(environment, text)),
  });
  const firstText = dedupeKey(first, 0);
  if (rest.length === 0) return [keyed(first, firstText)];
  const texts = new Set([firstText]);
  const others = rest.flatMap((identity, at) => {
    const text = dedupeKey(identity, at + 1);
    if (texts.has(text)) return [];
    texts.add(text);
    return [keyed(identity, text)];
  });
  return [keyed(first, firstText), ...others];
}

/** The key of the event with this id in an environment, for providers whose events are told apart by their id. */
export function keyOfEventId(id: string, environment: Environment): Uint8Array {
  return eventKeyOf(within(environment, dedupeKeyOfId(id)));
}

const within = (environment: Environment, dedupeKey: string) =>
  environment === "production" ? dedupeKey : `${environment}:${dedupeKey}`;
const dedupeKeyOfId = (id: string) => `id:${id}`;
