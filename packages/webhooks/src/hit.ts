import type { Body } from "./body.ts";
import type { EndpointSettings } from "./endpoint.ts";
import type { EventToHandle } from "./events.ts";
import { createIncoming, type Incoming } from "./incoming.ts";
import type { Adapter, FetchDeps } from "./providers/adapter.ts";
import type { OverflowReason } from "./reasons.ts";
import type { HandlerJob, WebhookStore } from "./store.ts";

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
  /**
   * Called with the outcome of each hit on an endpoint, when its response is ready. `seconds`: since it arrived. Must
   * not throw.
   */
  onOutcome?: (provider: string, reason: OverflowReason | "unavailable", seconds: number) => void;
  /** Called with internal errors, such as a failed store, and the id of the request. Writes to stderr by default. */
  report?: (error: unknown, requestId?: string | undefined) => void;
};

/** Passes an internal error on to the operator. */
export function report(error: unknown, deps: Pick<ReceiveDeps, "report">, requestId: string | undefined): void {
  if (deps.report) deps.report(error, requestId);
  else console.error(error);
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
  requestId: string | undefined;
  body: Body | undefined;
  secretId: string | null;
  skewSeconds: number | null;
  source: "http" | "probe";
};

type Start = Pick<Hit, "request" | "endpoint" | "adapter" | "address" | "requestId" | "startedMs">;

export function startHit(
  { request, endpoint, adapter, address, requestId, startedMs }: Start,
  deps: Pick<ReceiveDeps, "now" | "isProbe">,
): Hit {
  return {
    id: "",
    endpoint,
    adapter,
    request,
    receivedAt: deps.now(),
    startedMs,
    address,
    requestId,
    body: undefined,
    secretId: null,
    skewSeconds: null,
    source: deps.isProbe?.(request.headers) ? "probe" : "http",
  };
}

export const EMPTY = new Uint8Array();

/** What adapters see of a hit, with as much of its body as was read. */
export function incomingOf(
  { request, endpoint, adapter, body }: Hit,
  { baseUrl }: Pick<ReceiveDeps, "baseUrl">,
): Incoming {
  const { method, headers } = request;
  const url = `${baseUrl}/api/webhooks/${endpoint.slug}`;
  return createIncoming({ method, headers, body: body?.bytes ?? EMPTY, url, endpoint }, adapter);
}
