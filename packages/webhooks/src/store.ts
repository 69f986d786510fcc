import type { EndpointSettings, Environment } from "./endpoint.ts";
import type { DeliveryOutcome, DeliveryReason, OverflowReason } from "./reasons.ts";
import type { DeliverySource, Mode } from "./states.ts";

/** One HTTP hit on the receiver, accepted or rejected. Immutable once written. */
export type Delivery = {
  id: string;
  /** The slug of the endpoint. */
  endpoint: string;
  /** That of the endpoint when the hit arrived. It stays if the endpoint moves. CO-53. */
  environment: Environment;
  /** Unix seconds. */
  receivedAt: number;
  method: string;
  outcome: DeliveryOutcome;
  reason: DeliveryReason;
  /** The HTTP status of the response. */
  status: number;
  /** From the body, verified or not; null if it has none that can be read. */
  eventType: string | null;
  eventId: string | null;
  /** The provider's own mark of its first event, verified or not; null if it sets none. */
  mode: Mode | null;
  /** The secret that matched, or null. */
  secretId: string | null;
  /** Signed timestamp minus our clock, in seconds; null if there was none. */
  skewSeconds: number | null;
  /** Without credentials: see `redact.ts`. */
  headers: Record<string, string>;
  /** The raw bytes; at most 4 KiB of a rejected delivery. */
  body: Uint8Array;
  /** The size as received; null if the body was not read to its end. */
  bodyBytes: number | null;
  /** Milliseconds from the arrival of the request to the write of this row, just before the response. */
  ackMs: number;
  address: string | null;
  source: DeliverySource;
};

/** A hit that gets no row. The environment is null if there is no such endpoint. */
export type CountedHit = Pick<Delivery, "endpoint" | "source"> & { environment: Environment | null };

/**
 * A handler that an event is for, and the queue that its job waits in. Jobs with the same `orderKey` run one at a time,
 * oldest first.
 */
export type HandlerJob = { name: string; orderKey: string | null; queue: string };

/** One event of an accepted delivery. */
export type DeliveredEvent = {
  /** Made by `eventKeyOf`: equal for every delivery of the event in its environment. OP-38. */
  key: Uint8Array;
  id: string | null;
  type: string | null;
  /** The object that the event is about. */
  objectKey: string | null;
  /** The provider's own mark. */
  mode?: Mode | undefined;
  /** Empty if no handler wants it. */
  handlers: readonly HandlerJob[];
};

/** The storage that the receiver needs. */
export type WebhookStore = {
  /** Resolves to undefined if the endpoint is not configured. */
  findEndpoint(slug: string): Promise<EndpointSettings | undefined>;
  /**
   * Writes the delivery, those of its events that are new, and a job for each new event and handler: all or nothing,
   * committed when it resolves. Resolves to true if an event is new. Otherwise the outcome and reason of the row become
   * `duplicate`.
   */
  acceptDelivery(delivery: Delivery, events: readonly DeliveredEvent[]): Promise<boolean>;
  /** Writes a rejected hit. */
  recordRejection(delivery: Delivery): Promise<void>;
  /** Counts a hit without a row: over the row limit, on an endpoint that is not configured, or `provider_unknown`. */
  countOverflow(hit: CountedHit, reason: OverflowReason, now: number): Promise<void>;
};
