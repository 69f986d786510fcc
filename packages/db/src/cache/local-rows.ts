import type { Cached } from "./bounded-map.ts";
import type { CacheName, CacheVersions } from "./caches.ts";
import { createVersionedRows } from "./versioned-rows.ts";

/** Finds the row of a key. `versions` are those of the moment. */
export type FindRow<Row> = (key: string, versions: CacheVersions) => Row | undefined;

/**
 * Caches what `read` finds where reads take no round trip, while the version of `cache` stays the same. `undefined` is
 * never cached, since anybody can ask for keys that do not exist.
 */
export function cacheLocalRows<Row extends Cached>(
  cache: CacheName,
  maxBytes: number,
  read: (key: string) => Row | undefined,
  sizeOf: (row: Row) => number,
): FindRow<Row> {
  const rows = createVersionedRows(cache, maxBytes, sizeOf);
  return (key, versions) => {
    const cached = rows.get(key, versions);
    if (cached !== undefined) return cached;
    const row = read(key);
    if (row !== undefined) rows.set(key, row, versions);
    return row;
  };
}
