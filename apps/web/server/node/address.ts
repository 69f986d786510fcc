import type { IncomingHttpHeaders } from "node:http";
import { addressBehind, callerIn, type TrustedProxies } from "@gatehouse/runtime/trusted-proxies";

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

const REQUEST_ID = /^[\w-]{8,64}$/;

/**
 * The id that a trusted proxy gave the request; undefined from anybody else, since it stands in the audit log. SE-03,
 * CO-64.
 */
export function proxyRequestId(headers: Headers, proxies: TrustedProxies | undefined): string | undefined {
  const given = proxies ? headers.get("x-request-id") : null;
  return given !== null && REQUEST_ID.test(given) ? given : undefined;
}

/**
 * Deletes every header in which a caller can claim an address or the id of the request, and sets the address header
 * instead. SE-02, SE-03. The address is the socket's, or what a trusted proxy says (OP-16). Returns false when there is
 * none, because the peer reset the connection: nobody waits for a response, so drop the request.
 */
export function overwriteAddress(
  headers: IncomingHttpHeaders,
  peer: string | undefined,
  proxies: TrustedProxies | undefined,
): boolean {
  const { address, isProxied } = addressBehind(proxies, peer, headers["x-forwarded-for"]);
  for (const name in headers) {
    // Most names start with another letter.
    if ((name.startsWith("x-") && isClaim(name, isProxied)) || name === "forwarded") delete headers[name];
  }
  if (address === undefined) return false;
  headers[ADDRESS_HEADER] = address;
  return true;
}

function isClaim(name: string, isProxied: boolean): boolean {
  if (name === "x-request-id") return !isProxied;
  return name.startsWith("x-forwarded-") || name === "x-middleware-subrequest" || name === ADDRESS_HEADER;
}
