import { createRowLimiter, networkKey, type RowLimiter } from "@gatehouse/runtime";
import { statusOf } from "./answer.ts";
import { type Body, KEPT_BODY_BYTES } from "./body.ts";
import type { EndpointSettings } from "./endpoint.ts";
import type { EventToHandle } from "./events.ts";
import { createIncoming, type Incoming } from "./incoming.ts";
import type { Adapter, EventIdentity, FetchDeps } from "./providers/adapter.ts";
import { type DeliveryReason, outcomeOf } from "./reasons.ts";
import { redactHeaders } from "./redact.ts";
import type { Delivery, HandlerJob, WebhookStore } from "./store.ts";

export type ReceiveDeps = {
  store: WebhookStore;
  /** The jobs of a new event, one for each handler that wants it. Must not throw. */
  handlersFor: (event: EventToHandle) => readonly HandlerJob[];
  /** Whether the request's headers prove that it is a probe of this installation, which no handler gets. */
  isProbe?: (headers: Headers) => boolean;
  /** Requests to providers, for the deliveries that cannot be verified without one. */
  outbound: Omit<FetchDeps, "now" | "sender">;
  /** The public address of the server without a trailing slash, from the configuration. */
  baseUrl: string;
  /** Unix seconds. */
  now: () => number;
  /** Unix milliseconds with fractions from a monotonic clock. Orders deliveries and measures their duration. */
  nowMs: () => number;
  /** Returns that many random bytes, for delivery ids. */
  random: (length: number) => Uint8Array;
  /** Called with internal errors, such as a failed store. Writes to stderr by default. */
  report?: (error: unknown) => void;
};

/** Passes an internal error on to the operator. */
export function report(error: unknown, deps: Pick<ReceiveDeps, "report">): void {
  (deps.report ?? console.error)(error);
}

/** One HTTP hit. Its fields are filled in as the checks proceed. */
export type Hit = {
  /** Minted just before the write, so that rows become visible in the order of their ids. */
  id: string;
  endpoint: EndpointSettings;
  adapter: Adapter;
  request: Request;
  receivedAt: number;
  startedMs: number;
  address: string | null;
  body: Body | undefined;
  secretId: string | null;
  skewSeconds: number | null;
  source: "http" | "probe";
};

type Start = Pick<Hit, "request" | "endpoint" | "adapter" | "address" | "startedMs">;

export function startHit({ request, endpoint, adapter, address, startedMs }: Start, deps: Pick<ReceiveDeps, "now" | "isProbe">): Hit {
  return {
    id: "",
    endpoint,
    adapter,
    request,
    receivedAt: deps.now(),
    startedMs,
    address,
    body: undefined,
    secretId: null,
    skewSeconds: null,
    source: deps.isProbe?.(request.headers) ? "probe" : "http",
  };
}

const EMPTY = new Uint8Array();
const MAX_UNVERIFIED_BYTES = 64 * 1024;

/** What adapters see of a hit, with as much of its body as was read. */
export function incomingOf({ request, endpoint, adapter, body }: Hit, { baseUrl }: Pick<ReceiveDeps, "baseUrl">): Incoming {
  const { method, headers } = request;
  const url = `${baseUrl}/api/webhooks/${endpoint.slug}`;
  return createIncoming({ method, headers, body: body?.bytes ?? EMPTY, url, endpoint }, adapter);
}

/** One limiter per store, since the limit is on the store's rows. */
const limiters = new WeakMap<WebhookStore, RowLimiter>();

/** Stores the row of a rejected hit, or only counts it if there were too many like it in this minute. */
export async function logRefusal(hit: Hit, reason: DeliveryReason, deps: ReceiveDeps): Promise<void> {
  const limiter = limiters.get(deps.store) ?? createRowLimiter();
  limiters.set(deps.store, limiter);
  if (!limiter(`${hit.endpoint.slug} ${reason}`, networkKey(hit), hit.receivedAt)) return countRefusal(hit, reason, deps);
  // The type and id of an unverified body still help to find the delivery, but a large one is not parsed for them.
  const incoming = incomingOf(hit, deps);
  const isParsed = hit.secretId !== null || incoming.body.byteLength <= MAX_UNVERIFIED_BYTES;
  const [identity] = hit.adapter.identify(incoming, isParsed ? incoming.parsed()?.payload : undefined);
  return deps.store.recordRejection(describeHit(hit, reason, identity, deps));
}

/** Counts a rejected hit without a row. */
export function countRefusal({ endpoint, source, receivedAt }: Hit, reason: DeliveryReason, { store }: Pick<ReceiveDeps, "store">) {
  return store.countOverflow({ endpoint: endpoint.slug, environment: endpoint.environment, source }, reason, receivedAt);
}

/** The row of a hit in the delivery log. */
export function describeHit(hit: Hit, reason: DeliveryReason, identity: EventIdentity, deps: Pick<ReceiveDeps, "nowMs">): Delivery {
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
