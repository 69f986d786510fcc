/** A map that drops what was not used for longest. */
export type BoundedMap<Value> = {
  get(key: string): Value | undefined;
  /** Keeps the value, unless the map is full: then one in eight, so that keys asked for once do not displace the others. */
  set(key: string, value: Value): void;
  clear(): void;
};

/** Of the values that are set when the map is full. Keeping each would cost more in garbage collection than it saves in reads. */
const KEPT_WHEN_FULL = 0.125;

/**
 * Keeps at most about `maxBytes`, as `sizeOf` estimates them. Two generations: new and used entries go to the recent one; when that one has half
 * of the bytes, it becomes the older one, and what was not used since the last time is dropped. So a hit costs no reordering.
 */
export function createBoundedMap<Value>(maxBytes: number, sizeOf: (value: Value) => number = estimateBytes): BoundedMap<Value> {
  let recent = new Map<string, Value>();
  let older = new Map<string, Value>();
  let bytes = 0;

  function add(key: string, value: Value): void {
    recent.set(key, value);
    bytes += ENTRY_BYTES + key.length + sizeOf(value);
    if (bytes <= maxBytes / 2) return;
    older = recent;
    recent = new Map();
    bytes = 0;
  }

  return {
    get(key) {
      const known = recent.get(key);
      if (known !== undefined) return known;
      const aged = older.get(key);
      if (aged !== undefined) add(key, aged);
      return aged;
    },
    set(key, value) {
      if (older.size === 0 || Math.random() < KEPT_WHEN_FULL) add(key, value);
    },
    clear() {
      recent = new Map();
      older = new Map();
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
