import { type Cached, createBoundedMap } from "./bounded-map.ts";
import type { CacheName, CacheVersions } from "./caches.ts";

/** Rows of one version of a cache. */
export type VersionedRows<Row> = {
  get(key: string, versions: CacheVersions): Row | undefined;
  /** Caches a row that was read while `versions` were the newest, and still are. */
  set(key: string, row: Row, versions: CacheVersions): void;
};

/** Caches rows while the version of `cache` stays the same, at most `maxBytes` of them. */
export function createVersionedRows<Row extends Cached>(
  cache: CacheName,
  maxBytes: number,
  sizeOf: (row: Row) => number,
): VersionedRows<Row> {
  const rows = createBoundedMap(maxBytes, sizeOf);
  let cachedVersion: number | undefined;

  function turnTo(version: number): void {
    if (version === cachedVersion) return;
    rows.clear();
    cachedVersion = version;
  }

  return {
    get(key, versions) {
      turnTo(versions[cache]);
      return rows.get(key);
    },
    set(key, row, versions) {
      turnTo(versions[cache]);
      rows.set(key, row);
    },
  };
}
