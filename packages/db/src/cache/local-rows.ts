import { createBoundedMap, type Kept } from "./bounded-map.ts";
import type { CacheName, CacheVersions } from "./caches.ts";

/** Finds the row of a key. `versions` are those of the moment. */
export type FindRow<Row> = (key: string, versions: CacheVersions) => Row | undefined;

/**
 * Caches what `read` finds where reads take no round trip, while the version of `cache` stays the same. `undefined` is never cached, since
 * anybody can ask for keys that do not exist.
 */
export function cacheLocalRows<Row extends Kept>(
  cache: CacheName,
  maxBytes: number,
  read: (key: string) => Row | undefined,
  sizeOf: (row: Row) => number,
): FindRow<Row> {
  const rows = createBoundedMap(maxBytes, sizeOf);
  let cachedVersion: number | undefined;
  return (key, versions) => {
    if (versions[cache] !== cachedVersion) {
      rows.clear();
      cachedVersion = versions[cache];
    }
    const cached = rows.get(key);
    if (cached !== undefined) return cached;
    const row = read(key);
    if (row !== undefined) rows.set(key, row);
    return row;
  };
}
