import type { Environment } from "@gatehouse/auth";
import type { OperationDeps } from "../deps.ts";
import type { StatsRange } from "../lists/lists.ts";
import { endpointFacts, listEndpointFacts } from "../webhook-endpoints/set-queries.ts";
import { type EndingSoon, listEndingSoon } from "./ending-soon.ts";
import { RANGES } from "./ranges.ts";
import { shareInFlight } from "./share-in-flight.ts";
import { statSeries } from "./stat-queries.ts";

/**
 * One chart: `counts` of each bar are in the order of `series`. `before`: the total of the period before, as far into
 * it as this one is.
 */
export type OverviewChart = {
  /** Of sign-ins, those that succeeded. */
  total: number;
  /** Sign-ins that failed, or deliveries that were rejected, which `total` includes. Null where nothing can fail. */
  failed: number | null;
  before: number;
  series: { name: string; total: number }[];
  bars: { at: number; counts: number[] }[];
};

export type Overview = {
  /** When it was read, Unix seconds. */
  at: number;
  /** The start of the first bar. */
  from: number;
  stepSeconds: number;
  signIns: OverviewChart;
  tokens: OverviewChart;
  refusals: OverviewChart;
  webhooks: OverviewChart;
  /** Of all environments. */
  endingSoon: EndingSoon[];
};

/** How many causes, grants and providers a chart shows; the others are `other`. */
const MOST = 8;
const OTHER = "other";

type Input = { range: StatsRange; environment?: Environment | undefined };
type Deps = Pick<OperationDeps, "reads" | "now">;

/** By database. */
const inFlight = new WeakMap<Deps["reads"], ReturnType<typeof shareInFlight<Overview>>>();

/**
 * What the overview shows, from counts per hour or day: four statements, whatever the installation's size. Viewers who
 * ask at the same time share them. CO-10, CO-13, CO-14.
 */
export function getOverview(input: Input, deps: Deps): Promise<Overview> {
  const share = inFlight.get(deps.reads) ?? shareInFlight<Overview>();
  inFlight.set(deps.reads, share);
  return share(`${input.range} ${input.environment ?? ""}`, () => readOverview(input, deps));
}

async function readOverview({ range, environment }: Input, { reads, now }: Deps): Promise<Overview> {
  const at = now();
  const { steps, stepSeconds, resolution } = RANGES[range];
  const from = (Math.floor(at / stepSeconds) - steps + 1) * stepSeconds;
  const earlier = from - steps * stepSeconds;
  const metrics = ["sign_in", "token", "refusal", "webhook_result"];
  const [rows, endpoints, endingSoon] = await Promise.all([
    statSeries(reads, { resolution, from: earlier, metrics, environment, stepSeconds }),
    listEndpointFacts(reads),
    listEndingSoon({ reads, now }),
  ]);
  const span: Span = { at, from, steps, stepSeconds };
  const ofMetric = (metric: string) => rows.filter((row) => row.metric === metric);
  const of = (metric: string, nameOf: (key: string) => string) =>
    chartOf(
      ofMetric(metric).map((row) => ({ at: row.at, name: nameOf(row.key), count: row.count })),
      span,
    );
  const providerOf = (key: string) => endpointFacts(endpoints, partOf(key, 0)).provider;
  const rejected = ofMetric("webhook_result").filter((row) => row.at >= from && partOf(row.key, 1) === "rejected");
  return {
    at,
    from,
    stepSeconds,
    endingSoon,
    signIns: signInsOf(
      of("sign_in", (key) => partOf(key, 0)),
      chartOf(
        ofMetric("sign_in")
          .filter((row) => partOf(row.key, 0) === SUCCEEDED)
          .map((row) => ({ at: row.at, name: SUCCEEDED, count: row.count })),
        span,
      ),
    ),
    tokens: of("token", (key) => key),
    refusals: of("refusal", (key) => key),
    webhooks: { ...of("webhook_result", providerOf), failed: sum(rejected.map(({ count }) => count)) },
  };
}

/** A key is a path: result, factor and cause of a sign-in, or endpoint and result of a delivery. */
const partOf = (key: string, at: number) => key.split("/")[at] ?? "";

const SUCCEEDED = "succeeded";

/** The numbers of those that succeeded, with the bars of both. */
function signInsOf(all: OverviewChart, { total, before }: OverviewChart): OverviewChart {
  return { ...inOrder(all, [SUCCEEDED, "failed"]), total, before, failed: all.total - total };
}

type Span = { at: number; from: number; steps: number; stepSeconds: number };
type Row = { at: number; name: string; count: number };

/** The most frequent names first. */
function chartOf(rows: readonly Row[], { at, from, steps, stepSeconds }: Span): OverviewChart {
  const current = rows.filter((row) => row.at >= from);
  const totals = new Map<string, number>();
  for (const { name, count } of current) totals.set(name, (totals.get(name) ?? 0) + count);
  const ranked = [...totals]
    .sort(([one, more], [other, fewer]) => fewer - more || (one < other ? -1 : 1))
    .map(([name]) => name);
  const shown = ranked.filter((name) => name !== OTHER).slice(0, MOST);
  const names = ranked.length > shown.length ? [...shown, OTHER] : shown;

  const bars = Array.from({ length: steps }, (_, step) => ({
    at: from + step * stepSeconds,
    counts: names.map(() => 0),
  }));
  for (const row of current) {
    const { counts } = bars[Math.floor((row.at - from) / stepSeconds)] ?? {};
    const index = shown.includes(row.name) ? names.indexOf(row.name) : names.length - 1;
    if (counts) counts[index] = (counts[index] ?? 0) + row.count;
  }
  const series = names.map((name, index) => ({ name, total: sum(bars.map(({ counts }) => counts[index] ?? 0)) }));
  // The last bar is not over yet, so only as much of the bar before it counts.
  const elapsed = (at % stepSeconds) / stepSeconds;
  const before = sum(
    rows.filter((row) => row.at < from).map((row) => row.count * (row.at === from - stepSeconds ? elapsed : 1)),
  );
  return { total: sum(series.map(({ total }) => total)), before: Math.round(before), failed: null, series, bars };
}

/** The same chart with these series, in this order, also those without counts. */
function inOrder(chart: OverviewChart, names: readonly string[]): OverviewChart {
  const indexes = names.map((name) => chart.series.findIndex((one) => one.name === name));
  return {
    ...chart,
    series: names.map((name, index) => ({ name, total: chart.series[indexes[index] ?? -1]?.total ?? 0 })),
    bars: chart.bars.map(({ at, counts }) => ({ at, counts: indexes.map((index) => counts[index] ?? 0) })),
  };
}

const sum = (numbers: readonly number[]) => numbers.reduce((total, one) => total + one, 0);
