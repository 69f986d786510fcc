import { evictedSince } from "@gatehouse/db/stores/webhooks/eviction";
import {
  DELIVERY_OUTCOMES,
  DELIVERY_REASONS,
  type DeliveryReason,
  type Environment,
  isProvider,
  PROVIDERS,
} from "@gatehouse/webhooks";
import type { OperationDeps } from "../../deps.ts";
import type { StatsRange } from "../../lists/lists.ts";
import { RANGES } from "../../overview/ranges.ts";
import { statSeries, statTotals } from "../../overview/stat-queries.ts";
import { type EndpointFacts, endpointFacts, listEndpointFacts } from "../../webhook-endpoints/set-queries.ts";
import { percentiles } from "./percentiles.ts";

export type DeliveryStatsInput = {
  range: StatsRange;
  environment?: Environment | undefined;
  provider?: string | undefined;
  endpoint?: string | undefined;
};

type Deps = Pick<OperationDeps, "reads" | "now">;

/** What the charts of the deliveries show, from the counts per hour or day. CO-57. */
export async function deliveryStats(
  { range, environment, provider, endpoint }: DeliveryStatsInput,
  { reads, now }: Deps,
) {
  const { steps, stepSeconds, resolution } = RANGES[range];
  const from = (Math.floor(now() / stepSeconds) - steps + 1) * stepSeconds;
  const span = { resolution, from, environment } as const;
  const [configured, evictedAt, series, totals] = await Promise.all([
    listEndpointFacts(reads),
    evictedSince(reads),
    statSeries(reads, { ...span, metrics: ["webhook_result", "webhook_handler"] }),
    statTotals(reads, { ...span, metrics: ["webhook_reason", "webhook_ack"] }),
  ]);
  const counted = <Row extends Stored>(rows: readonly Row[], metric: string) =>
    countedBy(rows, metric, configured).filter(
      (row) =>
        (provider === undefined || row.provider === provider) && (endpoint === undefined || row.endpoint === endpoint),
    );

  const results = counted(series, "webhook_result");
  const starts = Array.from({ length: steps }, (_, step) => from + step * stepSeconds);
  return {
    from,
    stepSeconds,
    evictedAt,
    results: overTime(results, starts, stepSeconds, [...DELIVERY_OUTCOMES]),
    endpoints: byEndpoint(results),
    handlers: overTime(counted(series, "webhook_handler"), starts, stepSeconds, ["ok", "failed", "dead"]),
    reasons: byReason(counted(totals, "webhook_reason")),
    responses: byProvider(counted(totals, "webhook_ack")),
  };
}

type Stored = { metric: string; key: string; count: number };

/** The rows of a metric, their keys taken apart: `<endpoint>/<value>`. An endpoint has no slash. */
function countedBy<Row extends Stored>(rows: readonly Row[], metric: string, configured: readonly EndpointFacts[]) {
  return rows
    .filter((row) => row.metric === metric)
    .map((row) => {
      const [endpoint = "", value = ""] = row.key.split("/");
      return { ...row, endpoint, value, provider: endpointFacts(configured, endpoint).provider };
    });
}

type Counted = { endpoint: string; provider: string; value: string; count: number };

function overTime<Name extends string>(
  rows: readonly (Counted & { at: number })[],
  starts: readonly number[],
  stepSeconds: number,
  names: readonly Name[],
): ({ at: number } & Record<Name, number>)[] {
  const zero = Object.fromEntries(names.map((name) => [name, 0])) as Record<Name, number>;
  const bars = new Map(starts.map((at) => [at, { at, ...zero }]));
  for (const { at, value, count } of rows) {
    const bar = bars.get(Math.floor(at / stepSeconds) * stepSeconds);
    const name = names.find((one) => one === value);
    if (bar && name) Object.assign(bar, { [name]: bar[name] + count });
  }
  return [...bars.values()];
}

/** The results at each endpoint, the busiest first. */
function byEndpoint(rows: readonly Counted[]) {
  return [...new Set(rows.map(({ endpoint }) => endpoint))]
    .map((endpoint) => {
      const own = rows.filter((row) => row.endpoint === endpoint);
      const of = (outcome: string) => total(own.filter(({ value }) => value === outcome));
      const results = { accepted: of("accepted"), duplicate: of("duplicate"), rejected: of("rejected") };
      return { endpoint, provider: own[0]?.provider ?? endpoint, ...results };
    })
    .sort((one, other) => sumOf(other) - sumOf(one));
}

const sumOf = ({ accepted, duplicate, rejected }: Record<"accepted" | "duplicate" | "rejected", number>) =>
  accepted + duplicate + rejected;

/** The most frequent first, without those that are not rejections. */
function byReason(rows: readonly Counted[]): { reason: DeliveryReason; count: number }[] {
  return DELIVERY_REASONS.filter((reason) => reason !== "accepted" && reason !== "duplicate")
    .map((reason) => ({ reason, count: total(rows.filter(({ value }) => value === reason)) }))
    .filter(({ count }) => count > 0)
    .sort((one, other) => other.count - one.count);
}

/** Response times of each provider against the time that it waits, the busiest provider first. */
function byProvider(rows: readonly Counted[]) {
  return [...new Set(rows.map(({ provider }) => provider))]
    .map((provider) => {
      const own = rows.filter((row) => row.provider === provider);
      return {
        provider,
        count: total(own),
        ...percentiles(own.map(({ value, count }) => ({ upToMs: Number(value), count }))),
        budgetMs: isProvider(provider) ? PROVIDERS[provider].facts.ackTimeoutMs : null,
      };
    })
    .sort((one, other) => other.count - one.count);
}

const total = (rows: readonly { count: number }[]) => rows.reduce((sum, { count }) => sum + count, 0);
