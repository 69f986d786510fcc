// What the server measures, as plain arrays: counting costs nanoseconds, and only a scrape reads them. OP-74

export { definitions, metrics } from "./catalog.ts";
export type { Counter, Gauge, Histogram } from "./metric.ts";
export { type Definition, Series, widthOf } from "./series.ts";
export { labelValues, mergeSnapshots, onSnapshot, type Snapshot, takeSnapshot } from "./snapshot.ts";
