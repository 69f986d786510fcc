import type { Db } from "../query/db.ts";
import { estimateBytes } from "./bounded-map.ts";
import type { CacheName } from "./caches.ts";
import { createVersionedRows } from "./versioned-rows.ts";

const MAX_BYTES = 8 * 2 ** 20;

/**
 * Caches the results of `load` by key, with exact invalidation: before each use it compares the cache's version, so a
 * row that any process changed a moment ago is read again. `undefined` is never cached, since anybody can ask for keys
 * that do not exist. Above `maxBytes`, the results not used lately are dropped.
 */
export function cacheRows<Value>(
  { versions: reader }: Pick<Db, "versions">,
  cache: CacheName,
  load: (key: string) => Promise<Value | undefined>,
  maxBytes = MAX_BYTES,
): (key: string) => Promise<Value | undefined> {
  const results = createVersionedRows<{ result: Value; bytes: number; used: boolean }>(
    cache,
    maxBytes,
    ({ bytes }) => bytes,
  );

  return async (key) => {
    const read = reader.read();
    const versions = read instanceof Promise ? await read : read;
    if (versions === undefined) return load(key);
    const cached = results.get(key, versions);
    if (cached) return cached.result;

    const result = await load(key);
    if (result !== undefined && reader.latest()?.[cache] === versions[cache]) {
      results.set(key, { result, bytes: estimateBytes(result), used: false }, versions);
    }
    return result;
  };
}
