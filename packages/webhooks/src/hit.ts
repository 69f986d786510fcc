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
  /** Unix milliseconds with fractions from a monotonic clock. Orders deliveries and measures their duration. */
  nowMs: () => number;
  /** Returns that many random bytes, for delivery ids. */
  random: (length: number) => Uint8Array;
  /** Called with internal errors, such as a failed store. Writes to stderr by default. */
  report?: (error: unknown) => void;
};

/** One HTTP hit. Its fields are filled in as the checks proceed. */
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

/** One limiter per store, since the limit is on the store's rows. */
const limiters = new WeakMap<WebhookStore, RowLimiter>();

/** Stores the row of a rejected hit, or only counts it if there were too many like it in this minute. */
export async function logRefusal(hit: Hit, reason: DeliveryReason, deps: ReceiveDeps): Promise<void> {
  const limiter = limiters.get(deps.store) ?? createRowLimiter();
  limiters.set(deps.store, limiter);
  if (!limiter(`${hit.provider} ${reason}`, networkKey(hit), hit.receivedAt)) {
    return deps.store.countOverflow(hit.provider, reason, hit.receivedAt);
  }
  // The type and id of an unverified body still help to find the delivery.
  const payload = parseJson(hit.body?.bytes ?? new Uint8Array())?.payload;
  return deps.store.recordRejection(describeHit(hit, reason, hit.adapter.identify(hit.request.headers, payload), deps));
}

/** The row of a hit in the delivery log. */
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
