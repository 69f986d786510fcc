/**
 * Makes a UUIDv7 with the fraction of a millisecond in `rand_a` (RFC 9562 §5.7, §6.2 method 3), so that ids sort as text in the
 * order in which deliveries arrived. In: Unix milliseconds with fractions, and a source of random bytes.
 */
export function mintDeliveryId(unixMs: number, random: (length: number) => Uint8Array): string {
  const whole = Math.floor(unixMs);
  const fraction = Math.floor((unixMs - whole) * 4096);
  const tail = Buffer.from(random(8));
  tail.writeUInt8((tail.readUInt8(0) & 0x3f) | 0x80, 0); // the variant
  const hex = whole.toString(16).padStart(12, "0") + (0x7000 | fraction).toString(16) + tail.toString("hex");
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join("-");
}

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
