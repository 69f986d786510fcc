import type { EndpointSettings } from "../endpoint.ts";
import type { OverflowReason } from "../reasons.ts";
import type { CountedHit, Delivery, WebhookStore } from "../store.ts";

export type MemoryWebhookStore = WebhookStore & {
  endpoints: Map<string, EndpointSettings>;
  deliveries: Delivery[];
  /** `endpoint key`, the key in hex, → id of the first delivery of the event. */
  events: Map<string, string>;
  /** `endpoint reason` → hits without a row. */
  overflow: Map<string, number>;
};

/** A webhook store in memory. */
export function memoryWebhookStore(endpoints: Record<string, EndpointSettings> = {}): MemoryWebhookStore {
  const deliveries: Delivery[] = [];
  const events = new Map<string, string>();
  const overflow = new Map<string, number>();
  const settings = new Map(Object.entries(endpoints));
  return {
    endpoints: settings,
    deliveries,
    events,
    overflow,
    findEndpoint: async (slug) => settings.get(slug),
    acceptDelivery: async (delivery, delivered) => {
      const keys = delivered.map(({ key }) => `${delivery.endpoint} ${Buffer.from(key).toString("hex")}`);
      const fresh = keys.filter((key) => !events.has(key));
      for (const key of fresh) events.set(key, delivery.id);
      deliveries.push(fresh.length > 0 ? delivery : { ...delivery, outcome: "duplicate", reason: "duplicate" });
      return fresh.length > 0;
    },
    recordRejection: async (delivery) => void deliveries.push(delivery),
    countOverflow: async ({ endpoint }: CountedHit, reason: OverflowReason) => {
      const key = `${endpoint} ${reason}`;
      overflow.set(key, (overflow.get(key) ?? 0) + 1);
    },
  };
}
