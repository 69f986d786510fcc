import { type Definition, definitions, labelValues, type Snapshot } from "@gatehouse/runtime/metrics";
import type { Metric, MetricType } from "prom-client";

export type Exposition = { contentType: string; text: string };
type Value = { metricName: string; labels: Record<string, string | number>; value: number };

/**
 * Writes a snapshot in Prometheus' text format. prom-client formats; its own metrics would cost too much on hot paths,
 * so each of its metrics here hands over what the arrays have. OP-73, OP-74
 */
export async function expose(snapshot: Snapshot): Promise<Exposition> {
  const { Registry } = await import("prom-client"); // with the first scrape, so that no start waits for it
  const registry = new Registry();
  for (const definition of definitions.values()) {
    const series = snapshot[definition.name];
    if (series) registry.registerMetric(metricOf(definition, series) as unknown as Metric);
  }
  return { contentType: registry.contentType, text: await registry.metrics() };
}

/** What prom-client asks a metric for. */
function metricOf(definition: Definition, series: Record<string, number[]>) {
  const { name, help, kind } = definition;
  const values = Object.entries(series).flatMap(([key, numbers]) => {
    const given = labelValues(key, definition);
    const labels = Object.fromEntries(definition.labels.map((label, at) => [label, given[at] ?? ""]));
    return kind === "histogram"
      ? histogramValues(definition, labels, numbers)
      : [{ metricName: name, labels, value: numbers[0] ?? 0 }];
  });
  const described = { name, help, type: kind as unknown as MetricType, values, aggregator: "sum" };
  return { name, get: async () => described };
}

/** Buckets are cumulative on the wire. */
function histogramValues({ name, buckets }: Definition, labels: Value["labels"], numbers: number[]): Value[] {
  let count = 0;
  const bounds: (number | string)[] = [...buckets, "+Inf"];
  const counts = bounds.map((le, at) => {
    count += numbers[at] ?? 0;
    return { metricName: `${name}_bucket`, labels: { ...labels, le }, value: count };
  });
  return [
    ...counts,
    { metricName: `${name}_sum`, labels, value: numbers.at(-1) ?? 0 },
    { metricName: `${name}_count`, labels, value: count },
  ];
}
