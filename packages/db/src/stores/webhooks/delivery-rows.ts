import type { DeliveredEvent, Delivery } from "@gatehouse/webhooks";

export type AcceptedDelivery = { delivery: Delivery; events: readonly DeliveredEvent[] };

/** Writes one delivery with its events and jobs. Resolves to whether one of the events is new. */
export type Accept = (delivery: Delivery, events: readonly DeliveredEvent[]) => Promise<boolean>;

export const toBuffer = (bytes: Uint8Array): Buffer =>
  Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);

/** The state of a new event. */
export const stateOf = ({ handlers }: DeliveredEvent): "pending" | "stored" =>
  handlers.length > 0 ? "pending" : "stored";

/** The jobs of one event of a delivery; `at` is the event's place in it. */
export function jobRowsOf({ id, endpoint, receivedAt }: Delivery, { key, handlers }: DeliveredEvent, at: number) {
  const eventKey = toBuffer(key).toString("base64url");
  return handlers.map(({ name, orderKey, queue }, place) => ({
    id: `${id}-${at}-${place}`,
    queue,
    orderKey,
    payload: { endpoint, deliveryId: id, eventKey, handler: name },
    runAt: receivedAt,
    attempts: 0,
    leaseToken: null,
    lastError: null,
    deadAt: null,
    createdAt: receivedAt,
  }));
}
