import type { IncomingHttpHeaders } from "node:http";
import { plainAddress } from "@gatehouse/runtime";

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
export function clientAddress(headers: Headers, trustProxy: boolean): string | null {
  if (hasOwnListener()) return headers.get(ADDRESS_HEADER);
  return (trustProxy && addressOfLastHop(headers.get("x-forwarded-for") ?? undefined)) || null;
}

const REQUEST_ID = /^[\w-]{8,64}$/;

/**
 * The id that a trusted proxy gave the request; undefined from anybody else, since it stands in the audit log. SE-03,
 * CO-64.
 */
export function proxyRequestId(headers: Headers, trustProxy: boolean): string | undefined {
  const given = trustProxy ? headers.get("x-request-id") : null;
  return given !== null && REQUEST_ID.test(given) ? given : undefined;
}

/**
 * Deletes every header in which a caller can claim an address and sets the address header instead. SE-02, SE-03. The
 * address is the socket's or, with `trustProxy`, the last hop of X-Forwarded-For: the one that the trusted proxy added.
 * Returns false when there is none, because the peer reset the connection: nobody waits for a response, so drop the
 * request.
 */
export function overwriteAddress(headers: IncomingHttpHeaders, peer: string | undefined, trustProxy: boolean): boolean {
  const forwarded = trustProxy ? addressOfLastHop(headers["x-forwarded-for"]) : undefined;
  for (const name in headers) {
    // Most names start with another letter.
    if ((name.startsWith("x-") && isClaim(name)) || name === "forwarded") delete headers[name];
  }
  const address = forwarded ?? plainAddress(peer ?? "");
  if (address === undefined) return false;
  headers[ADDRESS_HEADER] = address;
  return true;
}

function isClaim(name: string): boolean {
  return name.startsWith("x-forwarded-") || name === "x-middleware-subrequest" || name === ADDRESS_HEADER;
}

/** Some proxies add the port, and brackets around IPv6. Undefined when the hop is not an address. */
function addressOfLastHop(hops: string | string[] | undefined): string | undefined {
  const hop = [hops ?? ""].flat().join(",").split(",").at(-1)?.trim() ?? "";
  const [, bracketed, plain] = /^(?:\[(.+)\](?::\d+)?|([\d.]+):\d+)$/.exec(hop) ?? [];
  return plainAddress(bracketed ?? plain ?? hop);
}
