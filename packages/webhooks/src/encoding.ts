/** Decodes canonical base64 with padding. Returns undefined for anything else. */
export function fromBase64(text: string): Uint8Array | undefined {
  const bytes = Buffer.from(text, "base64");
  return bytes.toString("base64") === text ? bytes : undefined;
}

/** Decodes lower-case hex. Returns undefined for anything else. */
export function fromHex(text: string): Uint8Array | undefined {
  const bytes = Buffer.from(text, "hex");
  return bytes.toString("hex") === text ? bytes : undefined;
}

/** Parses Unix seconds from 1 to 15 digits. Returns undefined for anything else. */
export function fromDigits(text: string): number | undefined {
  return /^\d{1,15}$/.test(text) ? Number(text) : undefined;
}

/**
 * Returns a string that can be displayed and stored: 1 to 255 characters, no control characters or lone surrogates.
 * Otherwise null.
 */
export function shortText(value: unknown): string | null {
  return typeof value === "string" && /^\P{C}{1,255}$/u.test(value) ? value : null;
}

/** Reads an own property of parsed JSON. Returns undefined if the JSON is not an object. */
function propertyOf(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null && Object.hasOwn(value, name)
    ? Reflect.get(value, name)
    : undefined;
}

/**
 * Reads a value of parsed JSON by the names on the way to it. Returns undefined if there is none. Arrays are read by
 * index.
 */
export function valueAt(value: unknown, ...path: readonly string[]): unknown {
  return path.reduce(propertyOf, value);
}

/** {@link shortText} that also takes integers, which some providers use as ids. */
export function idText(value: unknown): string | null {
  return Number.isSafeInteger(value) ? String(value) : shortText(value);
}
