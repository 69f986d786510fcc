const ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";

/** Base32 without padding. RFC 4648 §6. */
export function toBase32(bytes: Uint8Array): string {
  let text = "";
  let [bits, value] = [0, 0];
  for (const byte of bytes) {
    value = ((value << 8) | byte) & 0xfff;
    for (bits += 8; bits >= 5; bits -= 5) text += ALPHABET.charAt((value >>> (bits - 5)) & 31);
  }
  return bits > 0 ? text + ALPHABET.charAt((value << (5 - bits)) & 31) : text;
}

/** The bytes of a base32 text, in either case and without padding; undefined for any other character. */
export function fromBase32(text: string): Uint8Array | undefined {
  const bytes: number[] = [];
  let [bits, value] = [0, 0];
  for (const letter of text.toUpperCase()) {
    const index = ALPHABET.indexOf(letter);
    if (index < 0) return undefined;
    value = ((value << 5) | index) & 0xfff;
    bits += 5;
    if (bits < 8) continue;
    bits -= 8;
    bytes.push((value >>> bits) & 255);
  }
  return Uint8Array.from(bytes);
}
