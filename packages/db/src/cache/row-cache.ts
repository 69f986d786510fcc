import type { Handle, Watched } from "../query/handle.ts";

/**
 * Remembers what `load` answers by its key for as long as nothing that is `watched` has changed, which it asks before every
 * answer: what another process revoked a moment ago is revoked here too. `load` answers undefined for what is not there, and
 * that is never remembered, since anybody can ask for anything. The oldest of more than `most` is forgotten.
 */
export function remember<Value>(
  handle: Handle,
  watched: Watched,
  load: (key: string) => Promise<Value | undefined>,
  most = 1000,
): (key: string) => Promise<Value | undefined> {
  const known = new Map<string, Value>();
  let knownAt: number | undefined;

  return async (key) => {
    const version = handle.version(watched);
    if (version === undefined) return load(key);
    if (version !== knownAt) {
      known.clear();
      knownAt = version;
    }
    const found = known.get(key);
    if (found !== undefined) return found;

    const value = await load(key);
    if (value !== undefined && knownAt === version && handle.version(watched) === version) {
      if (known.size >= most) known.delete(known.keys().next().value ?? key);
      known.set(key, value);
    }
    return value;
  };
}
