/** The reverse proxies whose X-Forwarded-For counts. OP-16 */
export type TrustedProxies = {
  /** Whether a proxy has this address, which is normalized. */
  has(address: string): boolean;
  /** `last`: one proxy, so that the last hop is the caller. `all`: from the right, past those that are trusted. */
  hops: "last" | "all";
};

/**
 * The proxies of GATEHOUSE_TRUSTED_PROXIES, a list of addresses and networks; with GATEHOUSE_TRUST_PROXY=1, one proxy in
 * a private network. Undefined if neither is set. Throws an error with `exitCode` 78 that names the variable.
 */
export function readTrustedProxies(variables: Readonly<Record<string, string | undefined>>): TrustedProxies | undefined;

/**
 * Who sent a request: what a trusted proxy says in X-Forwarded-For, else the socket's peer; normalized, and undefined
 * without a peer. `isProxied`: the request came through such a proxy, so that its other headers count too.
 */
export function addressBehind(
  proxies: TrustedProxies | undefined,
  peer: string | undefined,
  forwarded: string | readonly string[] | undefined,
): { address: string | undefined; isProxied: boolean };

/**
 * The caller in X-Forwarded-For, read from the right. Undefined without an address. A hop that is none ends the list:
 * then the nearest trusted proxy counts.
 */
export function callerIn(
  proxies: Pick<TrustedProxies, "has" | "hops">,
  forwarded: string | readonly string[] | undefined,
): string | undefined;
