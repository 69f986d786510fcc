/** Bytes of strict base64 with its padding, in the one canonical form; undefined for anything else. */
export function fromBase64(text: string): Uint8Array | undefined {
  const bytes = Buffer.from(text, "base64");
  return bytes.toString("base64") === text ? bytes : undefined;
}

/** Bytes of strict lower-case hex; undefined for anything else. */
export function fromHex(text: string): Uint8Array | undefined {
  const bytes = Buffer.from(text, "hex");
  return bytes.toString("hex") === text ? bytes : undefined;
}

/** Unix seconds from digits alone: no sign, no space, no trailing junk. */
export function fromDigits(text: string): number | undefined {
  return /^\d{1,15}$/.test(text) ? Number(text) : undefined;
}

/** The value when it is a text that can be shown and stored: 1–255 characters, none of them control or unpaired. */
export function shortText(value: unknown): string | null {
  return typeof value === "string" && /^\P{C}{1,255}$/u.test(value) ? value : null;
}

/** A property of parsed JSON, whatever JSON it is. */
export function propertyOf(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null && Object.hasOwn(value, name) ? Reflect.get(value, name) : undefined;
}
