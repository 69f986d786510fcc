import { networkOf } from "./address.mjs";

/**
 * The key under which a limiter counts. Only this file makes one, so that no limiter can count by a raw address. SE-07.
 */
export type ThrottleKey = string & { readonly __brand: "ThrottleKey" };

/** Callers without a known address share one count. */
const UNKNOWN = "unknown";

type From = { address: string | null };

/**
 * The key of a caller: its IPv4 address, or the /64 of its IPv6 address, since a host can change addresses within its
 * own /64. `about` separates counts, for example by client.
 */
export function callerKey({ address }: From, about = ""): ThrottleKey {
  return `${networkOf(address ?? "", 4) ?? UNKNOWN} ${about}` as ThrottleKey;
}

/**
 * The key of a caller's network: an IPv4 /24 or an IPv6 /64. For limits where counting neighbours together does no
 * harm.
 */
export function networkKey({ address }: From): ThrottleKey {
  return `network ${networkOf(address ?? "", 3) ?? UNKNOWN}` as ThrottleKey;
}

/**
 * The key of the largest network that one customer commonly gets: an IPv4 /24 or an IPv6 /48, which has 65,536 networks
 * of its own. For shares that every network gets even while others use up what all have together. `about` separates
 * counts.
 */
export function siteKey({ address }: From, about = ""): ThrottleKey {
  const network = networkOf(address ?? "", 3);
  const site = network?.includes(":") ? network.split(":").slice(0, 3).join(":") : (network ?? UNKNOWN);
  return `site ${site} ${about}` as ThrottleKey;
}

/** The key of one account, browser, session or client, or of everybody together, regardless of address. */
export function subjectKey(
  kind: "account" | "browser" | "session" | "sign-in" | "client" | "everybody",
  id = "",
): ThrottleKey {
  return `${kind} ${id}` as ThrottleKey;
}
