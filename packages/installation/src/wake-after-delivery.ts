import type { WebhookStore } from "@gatehouse/webhooks";

/** The store, which wakes the queues of an event's handlers once the event is committed. Otherwise they start at the worker's next look. */
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
