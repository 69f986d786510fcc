import type { IncomingHttpHeaders } from "node:http";
import { addressBehind, callerIn, type TrustedProxies } from "@gatehouse/runtime/trusted-proxies";
import { mintRequestId } from "./request-id.ts";

/** The header in which our own server passes the caller's address to the handlers. */
export const ADDRESS_HEADER = "x-gatehouse-client-address";

/** On `globalThis`, since Next loads this module more than once. */
const process_ = globalThis as { gatehouseSetsAddress?: boolean };

/** Called by server.ts: in this process the address header comes from the socket, never from the caller. */
export function trustSocketAddress(): void {
  process_.gatehouseSetsAddress = true;
}

/** Whether requests come through our own listener, which adds the headers of every response. Not under `next start`. */
export function hasOwnListener(): boolean {
  return process_.gatehouseSetsAddress === true;
}

/**
 * Returns the caller's address, or null when no trusted source names it. Under `next start` only a trusted proxy can:
 * Next does not show its handlers the socket.
 */
export function clientAddress(headers: Headers, proxies: TrustedProxies | undefined): string | null {
  if (hasOwnListener()) return headers.get(ADDRESS_HEADER);
  return (proxies && callerIn(proxies, headers.get("x-forwarded-for") ?? undefined)) ?? null;
}

/** The header with the id of a request. */
export const REQUEST_ID_HEADER = "x-request-id";

const REQUEST_ID = /^[\w-]{8,64}$/;
/** The version, the ids of the trace and of the caller's part of it, and flags. W3C Trace Context §3.2.2 */
const TRACEPARENT = /^[\da-f]{2}-(?!0{32})([\da-f]{32})-[\da-f]{16}-[\da-f]{2}$/;

/**
 * The id of the request: that of a trusted proxy, otherwise a new one. Nobody else can choose it, since it stands in the
 * audit log. OP-77, SE-03, CO-64.
 */
export function requestIdOf(headers: Headers, proxies: TrustedProxies | undefined): string {
  const given = hasOwnListener() || proxies ? headers.get(REQUEST_ID_HEADER) : null;
  if (given !== null && hasOwnListener()) return given; // of `overwriteClaims`
  return usableId(given) ?? mintRequestId();
}

/** The id of the trace that the request belongs to, if this server or a trusted proxy traces it. OP-76, OP-77 */
export function traceIdOf(headers: Headers, proxies: TrustedProxies | undefined): string | undefined {
  const given = hasOwnListener() || proxies ? headers.get("traceparent") : null;
  return given === null ? undefined : TRACEPARENT.exec(given)?.[1];
}

const usableId = (given: string | null | undefined) => (given != null && REQUEST_ID.test(given) ? given : undefined);

/**
 * Deletes every header in which a caller can claim an address, the id of the request or a trace, and sets address and id
 * instead. SE-02, SE-03, OP-77. They are the socket's and a new one, or what a trusted proxy says (OP-16). Returns false
 * when there is no address, because the peer reset the connection: nobody waits for a response, so drop the request.
 */
export function overwriteClaims(
  headers: IncomingHttpHeaders,
  peer: string | undefined,
  proxies: TrustedProxies | undefined,
): boolean {
  const { address, isProxied } = addressBehind(proxies, peer, headers["x-forwarded-for"]);
  for (const name in headers) {
    // Most names start with another letter.
    if ((name.startsWith("x-") && isClaim(name)) || name === "forwarded") delete headers[name];
  }
  if (!isProxied && (headers["traceparent"] !== undefined || headers["tracestate"] !== undefined)) {
    delete headers["traceparent"];
    delete headers["tracestate"];
  }
  if (address === undefined) return false;
  headers[ADDRESS_HEADER] = address;
  headers[REQUEST_ID_HEADER] =
    (isProxied ? usableId(headers[REQUEST_ID_HEADER] as string) : undefined) ?? mintRequestId();
  return true;
}

function isClaim(name: string): boolean {
  return name.startsWith("x-forwarded-") || name === "x-middleware-subrequest" || name === ADDRESS_HEADER;
}
