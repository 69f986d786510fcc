import { allStores, type Definition, SEPARATOR } from "./series.ts";

/** The values of one process, or of several put together: numbers by label set, by metric. Plain data, for messages. */
export type Snapshot = Record<string, Record<string, number[]>>;

type Collector = () => void | Promise<void>;

/** On `globalThis`, since Next loads this module more than once. */
const process_ = globalThis as { gatehouseCollectors?: Set<Collector> };
process_.gatehouseCollectors ??= new Set();
const collectors = process_.gatehouseCollectors;

/**
 * Calls `collector` before each snapshot: it sets gauges that are cheaper to read then than to keep current. Returns
 * what ends it.
 */
export function onSnapshot(collector: Collector): () => void {
  collectors.add(collector);
  return () => void collectors.delete(collector);
}

/** The values of this process now. A collector that fails leaves its gauges as they were. */
export async function takeSnapshot(): Promise<Snapshot> {
  await Promise.allSettled([...collectors].map(async (collect) => collect()));
  return Object.fromEntries(
    [...allStores()].map(([name, { width, slots, values }]) => [
      name,
      Object.fromEntries([...slots].map(([key, start]) => [key, Array.from(values.subarray(start, start + width))])),
    ]),
  );
}

/** Puts the values of several processes together: the sum, or for some gauges the largest. OP-73 */
export function mergeSnapshots(
  snapshots: readonly Snapshot[],
  acrossOf: (name: string) => Definition["across"],
): Snapshot {
  const merged: Snapshot = {};
  for (const snapshot of snapshots) {
    for (const [name, series] of Object.entries(snapshot)) {
      merged[name] ??= {};
      const into = merged[name];
      const together = acrossOf(name) === "max" ? Math.max : plus;
      for (const [key, numbers] of Object.entries(series)) {
        const known = into[key];
        into[key] = known ? known.map((number, at) => together(number, numbers[at] ?? 0)) : [...numbers];
      }
    }
  }
  return merged;
}

const plus = (one: number, other: number) => one + other;

/** The label values of a key in a snapshot, in the order of the metric's labels. */
export function labelValues(key: string, { labels }: Pick<Definition, "labels">): string[] {
  return labels.length === 0 ? [] : key.split(SEPARATOR);
}
