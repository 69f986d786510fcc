import type Sqlite from "better-sqlite3";
import { type CacheName, invalidatedBy } from "../cache/invalidation.ts";
import type { Target } from "../query/builder.ts";

/** Numbers that change whenever a cached row may have changed. */
export type CacheVersions = {
  /** Counts a write of this connection. Call it inside the transaction: no reader runs before the commit, which is in the same turn. */
  count(target: Target): void;
  /** The version of a cache, commits of all other connections and processes included. */
  of(cache: CacheName): number;
};

/**
 * Versions of the caches over one connection. SQLite's `data_version` changes with every commit of another connection but not with this
 * one's own, which are counted by their target.
 */
export function createCacheVersions(connection: Sqlite.Database): CacheVersions {
  const dataVersion = connection.prepare("PRAGMA data_version").pluck();
  const versions: Record<CacheName, number> = { configuration: 0, accessTokens: 0 };
  let seen = dataVersion.get();

  return {
    count(target) {
      for (const cache of invalidatedBy(target)) versions[cache] += 1;
    },
    of(cache) {
      const current = dataVersion.get();
      if (current !== seen) {
        seen = current;
        versions.configuration += 1;
        versions.accessTokens += 1;
      }
      return versions[cache];
    },
  };
}
