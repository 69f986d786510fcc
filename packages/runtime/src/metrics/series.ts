/** What a metric is; the catalog has them all. */
export type Definition = {
  kind: "counter" | "gauge" | "histogram";
  name: string;
  help: string;
  labels: readonly string[];
  /** The most label sets. Further ones are counted under `fold`. OP-75 */
  max: number;
  /** The label set that stands for one too many. Default: `other` for each label. */
  fold: (values: readonly string[]) => readonly string[];
  /** How many label sets `fold` may make. */
  maxFolded: number;
  /** The upper bounds of a histogram's buckets, ascending, in the metric's unit. */
  buckets: readonly number[];
  /** How the values of a server's processes become one. */
  across: "sum" | "max";
};

/**
 * The values of a metric, in one array: a slot of `width` numbers for each label set. A histogram's slot has the count
 * of each bucket, that above the last bound, and the sum. OP-74
 */
type Store = { definition: Definition; width: number; slots: Map<string, number>; values: Float64Array };

/** On `globalThis`, since Next loads this module more than once. */
const process_ = globalThis as { gatehouseMetrics?: Map<string, Store> };
process_.gatehouseMetrics ??= new Map();
const stores = process_.gatehouseMetrics;

/** Separates label values in the key of a slot. */
export const SEPARATOR = "\u0000";
/** A label value is from a closed list, so a longer one is a mistake. */
const MAX_VALUE_LENGTH = 80;

/** Every metric that this process has made, by name. */
export function allStores(): ReadonlyMap<string, Store> {
  return stores;
}

/** How many numbers a label set has. */
export function widthOf({ kind, buckets }: Pick<Definition, "kind" | "buckets">): number {
  return kind === "histogram" ? buckets.length + 2 : 1;
}

/** The store of a metric; one for each name, whichever copy of this module asks. */
export function storeOf(definition: Definition): Store {
  const known = stores.get(definition.name);
  if (known) return known;
  const width = widthOf(definition);
  const made: Store = { definition, width, slots: new Map(), values: new Float64Array(4 * width) };
  stores.set(definition.name, made);
  return made;
}

/** Forgets the series of a metric. */
export function clearStore(definition: Definition): void {
  const store = storeOf(definition);
  store.slots.clear();
  store.values.fill(0);
}

/** Where the slot of a label set starts. */
function slotOf(store: Store, values: readonly string[]): number {
  const { definition, slots } = store;
  const known = slots.get(keyOf(values));
  if (known !== undefined) return known;
  if (slots.size < definition.max) return addSlot(store, keyOf(values));
  const folded = keyOf(definition.fold(values));
  const found = slots.get(folded);
  if (found !== undefined) return found;
  if (slots.size < definition.max + definition.maxFolded) return addSlot(store, folded);
  const other = keyOf(values.map(() => OTHER));
  return slots.get(other) ?? addSlot(store, other);
}

/** Stands for every value that has no label set of its own. */
export const OTHER = "other";

const keyOf = (values: readonly string[]) =>
  values.length === 1
    ? (values[0] ?? "").slice(0, MAX_VALUE_LENGTH)
    : values.map((value) => value.slice(0, MAX_VALUE_LENGTH)).join(SEPARATOR);

function addSlot(store: Store, key: string): number {
  const start = store.slots.size * store.width;
  if (start + store.width > store.values.length) {
    const larger = new Float64Array(store.values.length * 2);
    larger.set(store.values);
    store.values = larger;
  }
  store.slots.set(key, start);
  return start;
}

/**
 * One label set of a metric. Keep it where something is counted often: using it allocates nothing and looks nothing up.
 * A class, because these are the fastest calls that there are.
 */
export class Series {
  readonly #store: Store;
  readonly #start: number;

  constructor(store: Store, values: readonly string[]) {
    this.#store = store;
    this.#start = slotOf(store, values);
  }

  /** Counts one more, or `by` more. */
  add(by = 1): void {
    const { values } = this.#store;
    values[this.#start] = (values[this.#start] ?? 0) + by;
  }

  /** Sets a gauge. */
  set(value: number): void {
    this.#store.values[this.#start] = value;
  }

  /** Adds a value to a histogram, in its unit. */
  observe(value: number): void {
    const { values, definition, width } = this.#store;
    const { buckets } = definition;
    let bucket = 0;
    while (bucket < buckets.length && value > (buckets[bucket] as number)) bucket += 1;
    const at = this.#start + bucket;
    values[at] = (values[at] ?? 0) + 1;
    const sum = this.#start + width - 1;
    values[sum] = (values[sum] ?? 0) + value;
  }
}
