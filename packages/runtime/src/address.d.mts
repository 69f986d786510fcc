/**
 * Normalizes an IP address: without its zone, and as IPv4 when it is an IPv4-mapped IPv6 address (RFC 4291 §2.5.5.2).
 * Returns undefined for text that is not an address.
 */
export function plainAddress(text: string): string | undefined;

/**
 * The network of an address: the first 3 or 4 bytes of IPv4, the /64 of IPv6. Undefined for text that is not an
 * address.
 */
export function networkOf(address: string, ipv4Bytes: 3 | 4): string | undefined;
