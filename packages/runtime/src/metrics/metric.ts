import { clearStore, type Definition, OTHER, Series, storeOf } from "./series.ts";

/** A value for each label, in their order. */
type Values<Labels extends readonly string[]> = { [At in keyof Labels]: string };

type Metric<Labels extends readonly string[], Use extends keyof Series> = Definition & {
  /** The series of these label values, which are from closed lists: never a client, user, address, path or error id. */
  series(...values: Values<Labels>): Pick<Series, Use>;
  /** Forgets every series, for a gauge whose label values come and go. Series that somebody keeps must not be used on. */
  clear(): void;
};

export type Counter<Labels extends readonly string[] = readonly string[]> = Metric<Labels, "add">;
export type Gauge<Labels extends readonly string[] = readonly string[]> = Metric<Labels, "set" | "add">;
export type Histogram<Labels extends readonly string[] = readonly string[]> = Metric<Labels, "observe">;

type Bounds = Partial<Pick<Definition, "max" | "fold" | "maxFolded" | "across">>;

/** What only grows. Its name ends in `_total`. */
export function counter<const Labels extends readonly string[]>(
  name: `${string}_total`,
  help: string,
  labels: Labels,
  bounds?: Bounds,
): Counter<Labels> {
  return metric("counter", name, help, labels, [], bounds);
}

/** What goes up and down. */
export function gauge<const Labels extends readonly string[]>(
  name: string,
  help: string,
  labels: Labels,
  bounds?: Bounds,
): Gauge<Labels> {
  return metric("gauge", name, help, labels, [], bounds);
}

/** How values are distributed. `buckets`: upper bounds, ascending. */
export function histogram<const Labels extends readonly string[]>(
  name: string,
  help: string,
  labels: Labels,
  buckets: readonly number[],
  bounds?: Bounds,
): Histogram<Labels> {
  return metric("histogram", name, help, labels, buckets, bounds);
}

const DEFAULT_MAX = 20;

function metric<const Labels extends readonly string[]>(
  kind: Definition["kind"],
  name: string,
  help: string,
  labels: Labels,
  buckets: readonly number[],
  { max = labels.length === 0 ? 1 : DEFAULT_MAX, fold = toOther, maxFolded = 0, across = "sum" }: Bounds = {},
): Metric<Labels, keyof Series> {
  const definition: Definition = { kind, name, help, labels, buckets, max, fold, maxFolded, across };
  return {
    ...definition,
    clear: () => clearStore(definition),
    series: (...values: Values<Labels>) => new Series(storeOf(definition), values as readonly string[]),
  };
}

const toOther = (values: readonly string[]) => values.map(() => OTHER);
