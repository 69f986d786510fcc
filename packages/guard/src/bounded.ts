/**
 * Sets an entry of a cache as its newest. Above `most` entries the oldest is dropped, never all of them: one caller
 * with many keys could then throw out everybody's.
 */
export function setBounded<Key, Value>(entries: Map<Key, Value>, key: Key, value: Value, most: number): void {
  entries.delete(key);
  entries.set(key, value);
  if (entries.size > most) for (const oldest of entries.keys()) if (entries.delete(oldest)) break;
}
