/**
 * Makes a UUIDv7 with the fraction of a millisecond in `rand_a` (RFC 9562 §5.7, §6.2 method 3), so that ids sort as
 * text in the order in which deliveries arrived. In: Unix milliseconds with fractions, and a source of random bytes.
 */
export function mintDeliveryId(unixMs: number, random: (length: number) => Uint8Array): string {
  const whole = Math.floor(unixMs);
  const fraction = Math.floor((unixMs - whole) * 4096);
  const { buffer, byteOffset, byteLength } = random(8);
  const tail = Buffer.from(buffer, byteOffset, byteLength).toString("hex");
  const variant = "89ab"[Number.parseInt(tail.charAt(0), 16) & 3];
  const [high, low] = [Math.floor(whole / 0x10000), whole % 0x10000];
  return `${hexOf(high, 8)}-${hexOf(low, 4)}-${hexOf(0x7000 | fraction, 4)}-${variant}${tail.slice(1, 4)}-${tail.slice(4)}`;
}

const hexOf = (value: number, digits: number) => value.toString(16).padStart(digits, "0");

/** The lower bound of the ids of that Unix second and later ones. */
export function deliveryIdsFrom(seconds: number): string {
  const hex = Math.min(Math.max(seconds, 0) * 1000, 2 ** 48 - 1)
    .toString(16)
    .padStart(12, "0");
  return `${hex.slice(0, 8)}-${hex.slice(8)}`;
}

/** When the delivery with this id arrived, Unix seconds. */
export function deliveryTime(id: string): number {
  return Math.floor(Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16) / 1000);
}
