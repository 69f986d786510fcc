import type { WebhookStore } from "@gatehouse/webhooks";

/** The store, which wakes the queues of an event's handlers once the event is committed. Otherwise they start at the worker's next look. */
export function wakingAfterDelivery(store: WebhookStore, wake: (queue: string) => void): WebhookStore {
  return {
    ...store,
    async acceptDelivery(delivery, events) {
      const isNew = await store.acceptDelivery(delivery, events);
      if (isNew) for (const { handlers } of events) for (const { queue } of handlers) wake(queue);
      return isNew;
    },
  };
}
