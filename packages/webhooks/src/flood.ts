import { isIPv4, isIPv6 } from "node:net";

/** Rows kept per minute of refused hits with the same provider, reason and network; more are only counted. */
export const ROWS_PER_MINUTE = 60;
/** Networks remembered at a time. When a minute has seen more, hits from further ones are only counted. */
const MAX_KEYS = 1000;

/** Rows kept per minute altogether: from however many networks a flood comes, the sweeper removes more than it leaves. */
const MAX_ROWS = 5000;

/** Says whether a refused hit still gets its row. */
export type RowLimiter = (key: { provider: string; reason: string; address: string | null }, now: number) => boolean;

/** A limiter whose memory is bounded, whoever sends whatever: it forgets everything when the minute changes. */
export function createRowLimiter(rowsPerMinute = ROWS_PER_MINUTE, maxKeys = MAX_KEYS, maxRows = MAX_ROWS): RowLimiter {
  const counts = new Map<string, number>();
  let minute = -1;
  let rows = 0;

  return ({ provider, reason, address }, now) => {
    const current = Math.floor(now / 60);
    if (current !== minute) {
      counts.clear();
      [minute, rows] = [current, 0];
    }
    const key = `${provider} ${reason} ${networkOf(address)}`;
    const count = counts.get(key);
    if (rows >= maxRows || (count === undefined && counts.size >= maxKeys)) return false;
    if (count !== undefined && count >= rowsPerMinute) return false;
    counts.set(key, (count ?? 0) + 1);
    rows += 1;
    return true;
  };
}

/** The /24 of an IPv4 address, the /64 of an IPv6 one: what one sender can be expected to hold. */
export function networkOf(address: string | null): string {
  if (address === null) return "unknown";
  const plain = address.replace(/^::ffff:(?=\d+\.)/i, "").replace(/%.*$/, "");
  if (isIPv4(plain)) return plain.split(".").slice(0, 3).join(".");
  if (!isIPv6(plain)) return "unknown";
  const [head = "", tail] = plain.toLowerCase().split("::");
  const left = head === "" ? [] : head.split(":");
  const right = tail === undefined || tail === "" ? [] : tail.split(":");
  const groups = tail === undefined ? left : [...left, ...Array<string>(Math.max(0, 8 - left.length - right.length)).fill("0"), ...right];
  return groups
    .slice(0, 4)
    .map((group) => group.replace(/^0+(?=.)/, ""))
    .join(":");
}
