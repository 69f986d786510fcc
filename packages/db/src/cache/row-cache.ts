import type { Handle } from "../query/handle.ts";
import { createBoundedMap, estimateBytes } from "./bounded-map.ts";
import type { CacheName } from "./caches.ts";

const MAX_BYTES = 8 * 2 ** 20;

/**
 * Caches the results of `load` by key, with exact invalidation: before each use it compares the cache's version, so a row that any process
 * changed a moment ago is read again. `undefined` is never cached, since anybody can ask for keys that do not exist. Above `maxBytes`, the
 * results not used lately are dropped. Without versions (PostgreSQL), every call loads.
 */
export function cacheRows<Value>(
  handle: Handle,
  cache: CacheName,
  load: (key: string) => Promise<Value | undefined>,
  maxBytes = MAX_BYTES,
): (key: string) => Promise<Value | undefined> {
  const entries = createBoundedMap<{ result: Value; bytes: number; used: boolean }>(maxBytes, ({ bytes }) => bytes);
  let cachedVersion: number | undefined;

  return async (key) => {
    const version = handle.local?.versions()[cache];
    if (version === undefined) return load(key);
    if (version !== cachedVersion) {
      entries.clear();
      cachedVersion = version;
    }
    const cached = entries.get(key);
    if (cached) return cached.result;

    const result = await load(key);
    if (result !== undefined && cachedVersion === version && handle.local?.versions()[cache] === version) {
      entries.set(key, { result, bytes: estimateBytes(result), used: false });
    }
    return result;
  };
}
