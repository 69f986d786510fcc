import type { IncomingHttpHeaders } from "node:http";
import { isIP, isIPv6 } from "node:net";
import { networkOf } from "@gatehouse/webhooks";

/** The header in which our own server tells the handlers who called. */
export const ADDRESS_HEADER = "x-gatehouse-client-address";

/** Set by server.ts, in the process it runs in: only then is the address header its own, and not the caller's. */
const trust = globalThis as { gatehouseSetsAddress?: boolean };

export function vouchForAddresses(): void {
  trust.gatehouseSetsAddress = true;
}

/** The caller's address, or null when nobody we trust has said it. */
export function clientAddress(headers: Headers): string | null {
  return trust.gatehouseSetsAddress ? headers.get(ADDRESS_HEADER) : null;
}

/**
 * Replaces what a caller may have written about itself by what the socket says. SE-02, SE-03.
 * With `trustProxy` the last hop of X-Forwarded-For counts: the one that our proxy added.
 */
export function settleAddress(headers: IncomingHttpHeaders, peer: string | undefined, trustProxy: boolean): void {
  const forwarded = trustProxy ? [headers["x-forwarded-for"]].flat().join(",").split(",").at(-1)?.trim() : undefined;
  for (const name in headers) {
    if (name.startsWith("x-forwarded-") || name === "forwarded" || name === "x-middleware-subrequest" || name === ADDRESS_HEADER)
      delete headers[name];
  }
  const address = (forwarded && bareAddress(forwarded)) || peer;
  if (address) headers[ADDRESS_HEADER] = address.replace(/^::ffff:/, "");
}

/** Some proxies add the port, and IPv6 in brackets. What is no address says nothing. */
function bareAddress(hop: string): string | undefined {
  const [, bracketed, plain] = /^(?:\[(.+)\](?::\d+)?|([\d.]+):\d+)$/.exec(hop) ?? [];
  const address = bracketed ?? plain ?? hop;
  return isIP(address) === 0 ? undefined : address;
}

/** What is counted as one caller: an IPv4 address, or the /64 of an IPv6 one, since a single host can use all of that. */
export function callerOf(address: string | null): string | null {
  return address !== null && isIPv6(address) ? networkOf(address) : address;
}
