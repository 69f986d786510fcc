import { createRowLimiter, networkKey, type RowLimiter } from "@gatehouse/runtime";
import { received, rejected, statusOf, unavailable, unknownProvider } from "./answer.ts";
import { KEPT_BODY_BYTES } from "./body.ts";
import { checkDelivery } from "./check-delivery.ts";
import { mintDeliveryId } from "./delivery-id.ts";
import type { EndpointSettings } from "./endpoint.ts";
import { EMPTY, type Hit, incomingOf, type ReceiveDeps, report, startHit } from "./hit.ts";
import type { EventIdentity } from "./providers/adapter.ts";
import { isProvider, PROVIDERS } from "./providers/index.ts";
import { type DeliveryReason, type OverflowReason, outcomeOf } from "./reasons.ts";
import { redactHeaders } from "./redact.ts";
import type { Delivery, WebhookStore } from "./store.ts";

/**
 * Receives one delivery: `POST /api/webhooks/<endpoint>`.
 *
 * Responds with 200 once the delivery is committed, new or not; with 4xx if the sender has to change something; with
 * 503 if we have to (no readable secret, store down), so that the sender retries. Never rejects. Every hit on a
 * configured endpoint is logged, rejected ones within limits. The order of the checks matters: a delivery without a
 * signature is reported as such even if no secret is configured. SD-04.
 */
export async function receive(
  request: Request,
  slug: string,
  deps: ReceiveDeps,
  { address, requestId }: { address: string | null; requestId?: string | undefined },
): Promise<Response> {
  const startedMs = deps.nowMs();
  let provider = "unknown";
  const ended = (reason: OverflowReason | "unavailable") =>
    deps.onOutcome?.(provider, reason, (deps.nowMs() - startedMs) / 1000);
  try {
    const configured = SLUG.test(slug) ? await deps.store.findEndpoint(slug) : undefined;
    const endpoint = configured ?? defaultEndpoint(slug);
    if (!endpoint || !isProvider(endpoint.provider)) {
      // The caller can invent any number of slugs, so all unknown ones share a count.
      const unknown = { endpoint: "unknown", environment: null, source: "http" } as const;
      await attempt(deps.store.countOverflow(unknown, "provider_unknown", deps.now()), deps, requestId);
      ended("provider_unknown");
      return unknownProvider(Object.keys(PROVIDERS));
    }
    provider = endpoint.provider;
    const adapter = PROVIDERS[endpoint.provider];
    const handshake =
      request.method === "GET" && endpoint.enabled ? adapter.handshake?.answer(queryOf(request), endpoint) : undefined;
    if (handshake) return handshake;

    const hit = startHit({ request, endpoint, adapter, address, requestId, startedMs }, deps);
    const verdict = await checkDelivery(hit, deps);
    hit.id = mintDeliveryId(deps.nowMs(), deps.random);
    if (verdict.reason !== "accepted") {
      // Nobody has set up an endpoint that is not configured, so nobody needs rows of it, which a stranger could fill.
      const note = configured ? logRefusal : countRefusal;
      await attempt(note(hit, verdict.reason, deps), deps, requestId);
      ended(verdict.reason);
      return rejected(verdict.reason, verdict.detail, hit.id, adapter);
    }
    const [event] = verdict.events;
    const isNew = await deps.store.acceptDelivery(describeHit(hit, "accepted", event, deps), verdict.events);
    const outcome = isNew ? "accepted" : "duplicate";
    ended(outcome);
    return received(outcome, hit.id, adapter);
  } catch (error) {
    report(error, deps, requestId);
    ended("unavailable");
    return unavailable();
  }
}

/**
 * The endpoint that is named like a provider exists even before it is configured. It has no secret, so it accepts
 * nothing.
 */
function defaultEndpoint(slug: string): EndpointSettings | undefined {
  return isProvider(slug) ? { ...UNCONFIGURED, slug, provider: slug } : undefined;
}

const SLUG = /^[a-z0-9][a-z0-9-]{0,62}$/;
const UNCONFIGURED = {
  environment: "production",
  enabled: true,
  settings: {},
  secrets: [],
  apiKeys: [],
  unreadableSecrets: 0,
} as const;

const queryOf = ({ url }: Request) => new URLSearchParams(url.includes("?") ? url.slice(url.indexOf("?")) : "");

/** A rejection stands even if it could not be logged. */
async function attempt(write: Promise<void>, deps: ReceiveDeps, requestId: string | undefined): Promise<void> {
  try {
    await write;
  } catch (error) {
    report(error, deps, requestId);
  }
}

const MAX_UNVERIFIED_BYTES = 64 * 1024;

/** One limiter per store, since the limit is on the store's rows. */
const limiters = new WeakMap<WebhookStore, RowLimiter>();

/** Stores the row of a rejected hit, or only counts it if there were too many like it in this minute. */
async function logRefusal(hit: Hit, reason: DeliveryReason, deps: ReceiveDeps): Promise<void> {
  const limiter = limiters.get(deps.store) ?? createRowLimiter();
  limiters.set(deps.store, limiter);
  if (!limiter(`${hit.endpoint.slug} ${reason}`, networkKey(hit), hit.receivedAt))
    return countRefusal(hit, reason, deps);
  // The type and id of an unverified body still help to find the delivery, but a large one is not parsed for them.
  const incoming = incomingOf(hit, deps);
  const isParsed = hit.secretId !== null || incoming.body.byteLength <= MAX_UNVERIFIED_BYTES;
  const [identity] = hit.adapter.identify(incoming, isParsed ? incoming.parsed()?.payload : undefined);
  return deps.store.recordRejection(describeHit(hit, reason, identity, deps));
}

/** Counts a rejected hit without a row. */
function countRefusal(
  { endpoint, source, receivedAt }: Hit,
  reason: DeliveryReason,
  { store }: Pick<ReceiveDeps, "store">,
) {
  return store.countOverflow(
    { endpoint: endpoint.slug, environment: endpoint.environment, source },
    reason,
    receivedAt,
  );
}

/** The row of a hit in the delivery log. */
function describeHit(
  hit: Hit,
  reason: DeliveryReason,
  identity: EventIdentity,
  deps: Pick<ReceiveDeps, "nowMs">,
): Delivery {
  const { id, endpoint, adapter, request, receivedAt, address, secretId, skewSeconds } = hit;
  const bytes = hit.body?.bytes ?? EMPTY;
  return {
    id,
    endpoint: endpoint.slug,
    environment: endpoint.environment,
    receivedAt,
    method: request.method,
    outcome: outcomeOf(reason),
    reason,
    status: statusOf(reason, adapter),
    eventType: identity.type,
    eventId: identity.id,
    mode: identity.mode ?? null,
    secretId,
    skewSeconds,
    headers: redactHeaders(request.headers),
    body: reason === "accepted" ? bytes : bytes.slice(0, KEPT_BODY_BYTES),
    bodyBytes: hit.body?.kind === "whole" ? bytes.byteLength : null,
    ackMs: Math.max(0, Math.round(deps.nowMs() - hit.startedMs)),
    address,
    source: hit.source,
  };
}
