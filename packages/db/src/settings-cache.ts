import type { Handle } from "./handle.ts";

const REMEMBERED = 1000;

/**
 * Remembers settings by their key for as long as none has changed, which it asks before every answer: what another process
 * revoked a moment ago is revoked here too. `load` answers undefined for what is not there, and that is never remembered,
 * since anybody can ask for anything.
 */
export function cachedSettings<Value>(
  handle: Handle,
  load: (key: string) => Promise<Value | undefined>,
): (key: string) => Promise<Value | undefined> {
  const known = new Map<string, Value>();
  let knownAt: number | undefined;

  return async (key) => {
    const version = handle.settingsVersion();
    if (version === undefined) return load(key);
    if (version !== knownAt || known.size >= REMEMBERED) {
      known.clear();
      knownAt = version;
    }
    const found = known.get(key);
    if (found !== undefined) return found;

    const value = await load(key);
    if (value !== undefined && knownAt === version && handle.settingsVersion() === version) known.set(key, value);
    return value;
  };
}
