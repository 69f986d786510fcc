import { createRowLimiter, networkKey, type RowLimiter } from "@gatehouse/net";
import { statusOf } from "./answer.ts";
import { type Body, KEPT_BODY_BYTES, parseJson } from "./body.ts";
import { mintDeliveryId } from "./delivery-id.ts";
import type { Adapter, EventIdentity } from "./providers/adapter.ts";
import { PROVIDERS, type ProviderSlug } from "./providers/index.ts";
import { type DeliveryReason, outcomeOf } from "./reasons.ts";
import { redactHeaders } from "./redact.ts";
import type { Delivery, WebhookStore } from "./store.ts";

export type ReceiveDeps = {
  store: WebhookStore;
  /** Unix seconds. */
  now: () => number;
  /** Unix milliseconds with fractions, of a clock that does not jump: orders the deliveries and measures how long one took. */
  nowMs: () => number;
  /** Returns that many random bytes; makes the delivery ids. */
  random: (length: number) => Uint8Array;
  /** Told of what the sender is not: why the store failed. Default: stderr. */
  report?: (error: unknown) => void;
};

/** What an HTTP hit turned out to be, filled in step by step. */
export type Hit = {
  id: string;
  provider: ProviderSlug;
  adapter: Adapter;
  request: Request;
  receivedAt: number;
  startedMs: number;
  address: string | null;
  body: Body | undefined;
  secretId: string | null;
  skewSeconds: number | null;
};

export function startHit(request: Request, provider: ProviderSlug, deps: ReceiveDeps, address: string | null): Hit {
  const startedMs = deps.nowMs();
  return {
    id: mintDeliveryId(startedMs, deps.random),
    provider,
    adapter: PROVIDERS[provider],
    request,
    receivedAt: deps.now(),
    startedMs,
    address,
    body: undefined,
    secretId: null,
    skewSeconds: null,
  };
}

/** One limiter per store, since it is the store's rows that are limited. */
const limiters = new WeakMap<WebhookStore, RowLimiter>();

/** Writes the row of a refused hit, or counts it when there have been too many like it this minute. */
export async function logRefusal(hit: Hit, reason: DeliveryReason, deps: ReceiveDeps): Promise<void> {
  const limiter = limiters.get(deps.store) ?? createRowLimiter();
  limiters.set(deps.store, limiter);
  if (!limiter(`${hit.provider} ${reason}`, networkKey(hit), hit.receivedAt)) {
    return deps.store.countOverflow(hit.provider, reason, hit.receivedAt);
  }
  // What an unverified body says of itself is still the first thing one looks for.
  const payload = parseJson(hit.body?.bytes ?? new Uint8Array())?.payload;
  return deps.store.recordRejection(describeHit(hit, reason, hit.adapter.identify(hit.request.headers, payload), deps));
}

/** The row as it will stand in the log. */
export function describeHit(hit: Hit, reason: DeliveryReason, identity: EventIdentity, deps: Pick<ReceiveDeps, "nowMs">): Delivery {
  const { id, provider, request, receivedAt, address, secretId, skewSeconds } = hit;
  const bytes = hit.body?.bytes ?? new Uint8Array();
  return {
    id,
    provider,
    receivedAt,
    method: request.method,
    outcome: outcomeOf(reason),
    reason,
    status: statusOf(reason),
    eventType: identity.type,
    eventId: identity.id,
    secretId,
    skewSeconds,
    headers: redactHeaders(request.headers),
    body: reason === "accepted" ? bytes : bytes.slice(0, KEPT_BODY_BYTES),
    bodyBytes: hit.body?.kind === "whole" ? bytes.byteLength : null,
    ackMs: Math.max(0, Math.round(deps.nowMs() - hit.startedMs)),
    address,
  };
}
