import { randomFillSync } from "node:crypto";

/** Random bytes are taken from the system for many ids at once. */
const RANDOM_BYTES = 10;
const pool = Buffer.alloc(RANDOM_BYTES * 400);
let used = pool.length;

const HEX = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, "0"));
const hex = (byte: number) => HEX[byte] as string;

let prefixMs = -1;
let prefix = "";

/** Names a request: a UUIDv7, so that ids are in the order of time. RFC 9562 §5.7 */
export function mintRequestId(nowMs: number = Date.now()): string {
  if (nowMs !== prefixMs) {
    const time = nowMs.toString(16).padStart(12, "0");
    prefix = `${time.slice(0, 8)}-${time.slice(8)}-7`;
    prefixMs = nowMs;
  }
  if (used === pool.length) {
    randomFillSync(pool);
    used = 0;
  }
  const at = used;
  used += RANDOM_BYTES;
  const byte = (index: number) => pool[at + index] as number;
  const version = hex(byte(0)).slice(1) + hex(byte(1));
  const variant = hex(0x80 | (byte(2) & 0x3f)) + hex(byte(3));
  const node = hex(byte(4)) + hex(byte(5)) + hex(byte(6)) + hex(byte(7)) + hex(byte(8)) + hex(byte(9));
  return `${prefix}${version}-${variant}-${node}`;
}
