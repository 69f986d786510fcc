import { isIPv4, isIPv6 } from "node:net";

/** The key a rate limit counts by. Only this file makes one, so that no limit counts by a raw address. SE-07. */
export type ThrottleKey = string & { readonly __brand: "ThrottleKey" };

/** Callers without an address share one key. */
const UNKNOWN = "unknown";

type From = { address: string | null };

/**
 * The key of a caller: its IPv4 address or IPv6 /64, because a host can choose addresses within its /64. `about` narrows the count,
 * for example to one client.
 */
export function callerKey({ address }: From, about = ""): ThrottleKey {
  return `${originOf(address, 4)} ${about}` as ThrottleKey;
}

/** The key of a network: an IPv4 /24 or IPv6 /64. For limits on rows, where sharing a count with neighbours does no harm. */
export function networkKey({ address }: From): ThrottleKey {
  return `network ${originOf(address, 3)}` as ThrottleKey;
}

/** The key of a subject that is counted regardless of address: an account, a browser, a session, or everybody. */
export function subjectKey(kind: "account" | "browser" | "session" | "everybody", id = ""): ThrottleKey {
  return `${kind} ${id}` as ThrottleKey;
}

/** The first `ipv4Bytes` bytes of an IPv4 address, the /64 of an IPv6 one, `unknown` for anything else. */
function originOf(address: string | null, ipv4Bytes: 3 | 4): string {
  const plain = plainAddress(address ?? "");
  if (plain === undefined) return UNKNOWN;
  if (isIPv4(plain)) return ipv4Bytes === 4 ? plain : plain.slice(0, plain.lastIndexOf("."));
  return groupsOf(plain).slice(0, 4).join(":");
}

const MAPPED = "0:0:0:0:0:ffff";

/** An IP address without zone; IPv4-mapped IPv6 (RFC 4291 §2.5.5.2) as IPv4. Undefined for anything else. */
export function plainAddress(text: string): string | undefined {
  if (isIPv4(text)) return text;
  if (!isIPv6(text)) return undefined;
  const groups = /ffff/i.test(text) ? groupsOf(text) : [];
  if (groups.slice(0, 6).join(":") !== MAPPED) return text.replace(/%.*$/, "");
  return groups
    .slice(6)
    .flatMap((group) => [Number.parseInt(group, 16) >> 8, Number.parseInt(group, 16) & 255])
    .join(".");
}

/** The eight groups of a valid IPv6 address, in lower case and without leading zeros. */
function groupsOf(address: string): string[] {
  const [head = "", tail = ""] = address.toLowerCase().replace(/%.*$/, "").replace(DOTTED_TAIL, asGroups).split("::");
  const [left, right] = [head, tail].map((part) => part.split(":").filter((group) => group !== "")) as [string[], string[]];
  const zeros = Array<string>(8 - left.length - right.length).fill("0");
  return [...left, ...zeros, ...right].map((group) => group.replace(/^0+(?=.)/, ""));
}

const DOTTED_TAIL = /(\d+)\.(\d+)\.(\d+)\.(\d+)$/;

function asGroups(_: string, ...bytes: string[]): string {
  const [a = 0, b = 0, c = 0, d = 0] = bytes.map(Number);
  return `${((a << 8) | b).toString(16)}:${((c << 8) | d).toString(16)}`;
}
