import type { OverflowReason } from "../reasons.ts";
import type { Delivery, ProviderSettings, WebhookStore } from "../store.ts";

export type MemoryWebhookStore = WebhookStore & {
  providers: Map<string, ProviderSettings>;
  deliveries: Delivery[];
  /** `provider key` → id of the first delivery of the event. */
  events: Map<string, string>;
  /** `provider reason` → hits without a row. */
  overflow: Map<string, number>;
};

/** A webhook store in memory. */
export function memoryWebhookStore(providers: Record<string, ProviderSettings> = {}): MemoryWebhookStore {
  const deliveries: Delivery[] = [];
  const events = new Map<string, string>();
  const overflow = new Map<string, number>();
  const settings = new Map(Object.entries(providers));
  return {
    providers: settings,
    deliveries,
    events,
    overflow,
    findProvider: async (provider) => settings.get(provider),
    acceptDelivery: async (delivery, dedupeKey) => {
      const key = `${delivery.provider} ${dedupeKey}`;
      const isNew = !events.has(key);
      if (isNew) events.set(key, delivery.id);
      deliveries.push(isNew ? delivery : { ...delivery, outcome: "duplicate", reason: "duplicate" });
      return isNew;
    },
    recordRejection: async (delivery) => void deliveries.push(delivery),
    countOverflow: async (provider: string, reason: OverflowReason) => {
      const key = `${provider} ${reason}`;
      overflow.set(key, (overflow.get(key) ?? 0) + 1);
    },
  };
}
