import { randomFillSync } from "node:crypto";

/** Random digits are taken from the system for many ids at once. */
const pool = Buffer.alloc(4_096);
let digits = "";
let used = 0;

/** The next random hexadecimal digits. */
function take(count: number): string {
  if (used + count > digits.length) {
    digits = randomFillSync(pool).toString("hex");
    used = 0;
  }
  used += count;
  return digits.slice(used - count, used);
}

let prefixMs = -1;
let prefix = "";

/** All but the last 48 bits, which ids of one millisecond have in common. */
function prefixOf(nowMs: number): string {
  const time = nowMs.toString(16).padStart(12, "0");
  const variant = (8 + (Number.parseInt(take(1), 16) & 3)).toString(16);
  return `${time.slice(0, 8)}-${time.slice(8)}-7${take(3)}-${variant}${take(3)}-`;
}

/** Names a request: a UUIDv7, so that ids are in the order of time. RFC 9562 §5.7 */
export function mintRequestId(nowMs: number = Date.now()): string {
  if (nowMs !== prefixMs) {
    prefix = prefixOf(nowMs);
    prefixMs = nowMs;
  }
  return prefix + take(12);
}
