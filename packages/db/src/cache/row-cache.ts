import type { Handle } from "../query/handle.ts";
import type { CacheName } from "./invalidation.ts";

/**
 * Caches the results of `load` by key, with exact invalidation: before each use it asks for the cache's version, so a row that any process
 * changed a moment ago is read again. `undefined` is never cached, since anybody can ask for keys that do not exist. Above `maxEntries`,
 * the oldest entry is dropped. Without versions (PostgreSQL), every call loads.
 */
export function cacheRows<Value>(
  handle: Handle,
  cache: CacheName,
  load: (key: string) => Promise<Value | undefined>,
  maxEntries = 1000,
): (key: string) => Promise<Value | undefined> {
  const entries = new Map<string, Value>();
  let cachedVersion: number | undefined;

  return async (key) => {
    const version = handle.version(cache);
    if (version === undefined) return load(key);
    if (version !== cachedVersion) {
      entries.clear();
      cachedVersion = version;
    }
    const cached = entries.get(key);
    if (cached !== undefined) return cached;

    const value = await load(key);
    if (value !== undefined && cachedVersion === version && handle.version(cache) === version) {
      if (entries.size >= maxEntries) entries.delete(entries.keys().next().value ?? key);
      entries.set(key, value);
    }
    return value;
  };
}
