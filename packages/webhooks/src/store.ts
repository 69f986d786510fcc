import type { DeliveryOutcome, DeliveryReason, OverflowReason } from "./reasons.ts";

/** One active secret of a provider, opened. `id` says which one matched, in the log; the value never leaves memory. */
export type ProviderSecret = { id: string; value: string };

/** A provider as configured. Unknown providers are not rows: they are the files in `providers/`. */
export type ProviderSettings = {
  enabled: boolean;
  secrets: readonly ProviderSecret[];
  /** How many more active secrets there are that the store cannot decrypt. */
  unreadableSecrets: number;
};

/** One HTTP hit on the receiver, good or bad. Never changed once written. */
export type Delivery = {
  id: string;
  provider: string;
  /** Unix seconds. */
  receivedAt: number;
  method: string;
  outcome: DeliveryOutcome;
  reason: DeliveryReason;
  /** The HTTP status we answered. */
  status: number;
  /** From the verified body, or read from an unverified one when it parses; null when neither. */
  eventType: string | null;
  eventId: string | null;
  /** Which secret matched; null when none did. */
  secretId: string | null;
  /** Signed timestamp minus our clock, seconds; null when there was none. */
  skewSeconds: number | null;
  /** Redacted: see `redact.ts`. */
  headers: Record<string, string>;
  /** The raw bytes; at most 4 KiB are kept of a rejected one. */
  body: Uint8Array;
  /** Bytes as received, before any cut; null when we stopped reading. */
  bodyBytes: number | null;
  /** Milliseconds from the arrival of the request to the writing of this row, just before the answer. */
  ackMs: number;
  address: string | null;
};

/** What the receiver needs kept. */
export type WebhookStore = {
  /** undefined when the provider was never configured. */
  findProvider(provider: string): Promise<ProviderSettings | undefined>;
  /**
   * Writes the delivery and, unless one with this key is there, the event: both or neither, committed when it resolves.
   * Resolves to true when the event is new. The row's outcome and reason become `duplicate` when it is not.
   * Records when the secret last matched, to the minute.
   */
  acceptDelivery(delivery: Delivery, dedupeKey: string): Promise<boolean>;
  /** Writes a refused hit. */
  recordRejection(delivery: Delivery): Promise<void>;
  /** Counts a hit of which no row was kept: flood control, or `("unknown", "provider_unknown")`. */
  countOverflow(provider: string, reason: OverflowReason, now: number): Promise<void>;
};
