import type { IncomingHttpHeaders } from "node:http";
import { plainAddress } from "@gatehouse/auth";

/** The header in which our own server tells the handlers who called. */
export const ADDRESS_HEADER = "x-gatehouse-client-address";

/** Set by server.ts, in the process it runs in: only then is the address header its own, and not the caller's. */
const trust = globalThis as { gatehouseSetsAddress?: boolean };

export function vouchForAddresses(): void {
  trust.gatehouseSetsAddress = true;
}

/**
 * The caller's address, or null when nobody we trust has said it. Under `next start` only a trusted proxy can say it:
 * Next tells its handlers nothing of the socket.
 */
export function clientAddress(headers: Headers, trustProxy: boolean): string | null {
  if (trust.gatehouseSetsAddress) return headers.get(ADDRESS_HEADER);
  return (trustProxy && addressOfLastHop(headers.get("x-forwarded-for") ?? undefined)) || null;
}

/**
 * Replaces what a caller may have written about itself by what the socket says. SE-02, SE-03.
 * With `trustProxy` the last hop of X-Forwarded-For counts: the one that our proxy added. Returns false if there is no
 * address: the peer has reset the connection. Drop such a request, since nobody waits for its answer.
 */
export function settleAddress(headers: IncomingHttpHeaders, peer: string | undefined, trustProxy: boolean): boolean {
  const forwarded = trustProxy ? addressOfLastHop(headers["x-forwarded-for"]) : undefined;
  for (const name in headers) {
    if (name.startsWith("x-forwarded-") || name === "forwarded" || name === "x-middleware-subrequest" || name === ADDRESS_HEADER)
      delete headers[name];
  }
  const address = forwarded ?? plainAddress(peer ?? "");
  if (address === undefined) return false;
  headers[ADDRESS_HEADER] = address;
  return true;
}

/** The address in the last hop, undefined where there is none: some proxies add the port, and brackets around IPv6. */
function addressOfLastHop(hops: string | string[] | undefined): string | undefined {
  const hop = [hops ?? ""].flat().join(",").split(",").at(-1)?.trim() ?? "";
  const [, bracketed, plain] = /^(?:\[(.+)\](?::\d+)?|([\d.]+):\d+)$/.exec(hop) ?? [];
  return plainAddress(bracketed ?? plain ?? hop);
}
