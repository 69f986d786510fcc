import type { DeliveryOutcome, DeliveryReason, OverflowReason } from "./reasons.ts";

/** One active secret of a provider, decrypted. The log stores the `id` of the secret that matched, never its value. */
export type ProviderSecret = { id: string; value: string };

/** The configuration of a provider. The known providers are the files in `providers/`. */
export type ProviderSettings = {
  enabled: boolean;
  secrets: readonly ProviderSecret[];
  /** The number of active secrets that the store cannot decrypt. */
  unreadableSecrets: number;
};

/** One HTTP hit on the receiver, accepted or rejected. Immutable once written. */
export type Delivery = {
  id: string;
  provider: string;
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
};

/** The storage that the receiver needs. */
export type WebhookStore = {
  /** Resolves to undefined if the provider was never configured. */
  findProvider(provider: string): Promise<ProviderSettings | undefined>;
  /**
   * Writes the delivery and, unless there is one with this key, the event: both or neither, committed when it resolves.
   * Resolves to true if the event is new. Otherwise the outcome and reason of the row become `duplicate`.
   * Also records when the secret last matched, to the minute.
   */
  acceptDelivery(delivery: Delivery, dedupeKey: string): Promise<boolean>;
  /** Writes a rejected hit. */
  recordRejection(delivery: Delivery): Promise<void>;
  /** Counts a hit without a row: over the row limit, or `("unknown", "provider_unknown")`. */
  countOverflow(provider: string, reason: OverflowReason, now: number): Promise<void>;
};
