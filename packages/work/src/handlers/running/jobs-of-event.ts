import { createHash } from "node:crypto";
import { createContext, Script } from "node:vm";
import { type EventToHandle, FORWARDING, forwards, type HandlerJob, type WebhookStore } from "@gatehouse/webhooks";
import type { DefinedHandler, Handlers } from "../define.ts";
import { forwardQueueOf } from "../forwarding/queues.ts";

/** The queue of handlers without a concurrency of their own. */
export const WEBHOOK_QUEUE = "webhook";
const LONGEST_ORDER_KEY = 200;

/** The queue that a handler's jobs wait in. */
export function queueOf(provider: string, { name, concurrency }: DefinedHandler): string {
  return concurrency === null ? WEBHOOK_QUEUE : `${WEBHOOK_QUEUE}:${provider}:${name}`;
}

/**
 * The jobs of a new event: one for each handler that wants it, and one if its endpoint forwards it. Called before the
 * event is stored, so it never throws. PK-56.
 */
export function jobsOfEvent(handlers: Handlers, event: EventToHandle): HandlerJob[] {
  const { provider, environment, forward, type } = event;
  const jobs: HandlerJob[] = handlers.of(provider, type).map((handler) => ({
    name: handler.name,
    orderKey: orderKeyOf(handler, event),
    queue: queueOf(provider, handler),
  }));
  if (forward && forwards(forward, type))
    jobs.push({ name: FORWARDING, orderKey: null, queue: forwardQueueOf(environment) });
  return jobs;
}

/**
 * The store, which wakes the queues of an event's handlers once the event is committed. Otherwise they start at the
 * worker's next look.
 */
export function wakingAfterDelivery(store: WebhookStore, wake: (queue: string) => void): WebhookStore {
  return {
    ...store,
    acceptDelivery(delivery, events) {
      const accepted = store.acceptDelivery(delivery, events);
      if (events.every(({ handlers }) => handlers.length === 0)) return accepted;
      return accepted.then((isNew) => {
        if (isNew) for (const { handlers } of events) for (const { queue } of handlers) wake(queue);
        return isNew;
      });
    },
  };
}

function orderKeyOf({ name, orderBy }: DefinedHandler, { endpoint, objectKey, payload }: EventToHandle): string | null {
  const key = typeof orderBy === "function" ? keyFrom(orderBy, payload) : orderBy === "object" ? objectKey : null;
  if (key === null) return null;
  const whole = `${endpoint}/${name}/${key}`;
  return whole.length <= LONGEST_ORDER_KEY
    ? whole
    : `${endpoint}/${name}/${createHash("sha256").update(key).digest("base64url")}`;
}

/** The function runs in the server, before the delivery is answered. */
const KEY_WITHIN_MS = 50;

const CALL = new Script("call()");
let place: { call?: () => unknown } | undefined;

/**
 * A payload that the product's function cannot read is in no order: the handler reports it when it runs. A function
 * that does not come to an end is stopped, which code of another context allows.
 */
function keyFrom(orderBy: (payload: unknown) => unknown, payload: unknown): string | null {
  place ??= createContext({});
  place.call = () => orderBy(payload);
  try {
    const key = CALL.runInContext(place, { timeout: KEY_WITHIN_MS });
    if (key instanceof Promise) key.catch(() => {}); // an async function: no key, and no unhandled rejection
    return typeof key === "string" ? key : null;
  } catch {
    return null;
  } finally {
    delete place.call;
  }
}
