/**
 * The hosts that count as loopback in configuration and in redirect URIs, as `URL.hostname` spells them. RFC 8252 §7.3.
 */
export const LOOPBACK_HOSTS: readonly string[];

/** The addresses behind those hosts. */
export const LOOPBACK_ADDRESSES: readonly string[];

/** Whether a `URL.hostname` is one of {@link LOOPBACK_HOSTS}. Only these can use plain http. */
export function isLoopbackHost(hostname: string): boolean;

/** Whether the host of a URL is one of {@link LOOPBACK_HOSTS}. False for text that is not a URL. */
export function isLoopbackUrl(url: string): boolean;

/** Whether a host name or address, IPv6 without brackets, is one of {@link LOOPBACK_HOSTS}. */
export function isOnLoopback(host: string): boolean;

/**
 * Whether a `URL.hostname` leads to this machine in any spelling: all of 127.0.0.0/8, IPv4-mapped IPv6, the unspecified
 * address and names below `localhost` as well. Production rejects all of them.
 */
export function isLocalHost(hostname: string): boolean;
