/** What is kept marks itself as used at each hit. */
export type Cached = { used: boolean };

/** A map that drops what was not used lately. */
export type BoundedMap<Value> = {
  get(key: string): Value | undefined;
  /**
   * Keeps the value, unless the map is full: then one in eight, so that keys asked for once do not displace the others.
   */
  set(key: string, value: Value): void;
  clear(): void;
};

/**
 * Of the values that are set when the map is full. Keeping each would cost more in garbage collection than it saves in
 * reads.
 */
const KEPT_WHEN_FULL = 0.125;
/** How many used values are passed over to find one to drop: bounds the time of a `set`. */
const MAX_PASSED = 16;

/**
 * Keeps at most `maxBytes`, as `sizeOf` estimates them, always alike for the same value. To make room, a hand goes
 * around the entries (CLOCK): it clears the mark of those used since it last came, and drops the first without one. So
 * a hit costs no reordering.
 */
export function createBoundedMap<Value extends Cached>(
  maxBytes: number,
  sizeOf: (value: Value) => number,
): BoundedMap<Value> {
  const entries = new Map<string, Value>();
  let hand = entries.entries();
  let bytes = 0;

  const sizeOfEntry = (key: string, value: Value) => ENTRY_BYTES + key.length + sizeOf(value);

  function drop(key: string, value: Value): void {
    entries.delete(key);
    bytes -= sizeOfEntry(key, value);
  }

  function dropOne(): void {
    for (let passed = 0; entries.size > 0; passed++) {
      const { done, value: entry } = hand.next();
      if (done) hand = entries.entries();
      else if (entry[1].used && passed < MAX_PASSED) entry[1].used = false;
      else {
        drop(...entry);
        return;
      }
    }
  }

  return {
    get(key) {
      const value = entries.get(key);
      if (value !== undefined) value.used = true;
      return value;
    },
    set(key, value) {
      const size = sizeOfEntry(key, value);
      if (size > maxBytes / 8) return;
      if (bytes + size > maxBytes && Math.random() >= KEPT_WHEN_FULL) return;
      const earlier = entries.get(key);
      if (earlier !== undefined) drop(key, earlier);
      while (bytes + size > maxBytes && entries.size > 0) dropOne();
      entries.set(key, value);
      bytes += size;
    },
    clear() {
      entries.clear();
      hand = entries.entries();
      bytes = 0;
    },
  };
}

/** What V8 needs for a place in a map and the header of a string. */
const ENTRY_BYTES = 80;

/** About how much memory a value of plain data takes. */
export function estimateBytes(value: unknown): number {
  if (typeof value === "string") return 16 + value.length;
  if (typeof value !== "object" || value === null) return 8;
  if (ArrayBuffer.isView(value)) return 100 + value.byteLength;
  let bytes = 24;
  for (const member of Object.values(value)) bytes += 8 + estimateBytes(member);
  return bytes;
}
