import type { OperationDeps } from "../deps.ts";
import { clientUse } from "./usage-queries.ts";
import { getClient } from "./view.ts";

/**
 * A count per day of each series; `counts` of each bar are in the order of `series`. `at` is the start of a day in UTC.
 */
export type UseChart = {
  total: number;
  /** Counts are kept for as long as the chart is, so nothing is known about the time before. */
  before: null;
  series: { name: string; total: number }[];
  bars: { at: number; counts: number[] }[];
};

/** Times are Unix seconds. */
export type ClientUseView = {
  /** When it was read. */
  at: number;
  /** The start of the first day. */
  from: number;
  stepSeconds: number;
  /** By grant type, the most frequent first. */
  tokens: UseChart;
  signIns: UseChart;
  refusals: UseChart;
};

const DAY = 86_400;
/** As long as `client_day` is kept. */
const DAYS = 90;
const TOKEN = "token.";

/** What a client did on each of the last 90 days. Counts are up to ten seconds old. Throws `not_found`. CO-35. */
export async function getClientUse(
  clientId: string,
  deps: Pick<OperationDeps, "db" | "reads" | "now">,
): Promise<ClientUseView> {
  const at = deps.now();
  const from = at - (at % DAY) - (DAYS - 1) * DAY;
  const [rows] = await Promise.all([clientUse(deps.reads, clientId, from), getClient(clientId, deps)]);
  const named = (name: string, metric: string) =>
    rows.filter((row) => row.metric === metric).map((row) => ({ ...row, name }));
  const tokens = rows
    .filter(({ metric }) => metric.startsWith(TOKEN))
    .map((row) => ({ ...row, name: row.metric.slice(TOKEN.length) }));
  return {
    at,
    from,
    stepSeconds: DAY,
    tokens: chartOf(tokens, from),
    signIns: chartOf(named("sign_in", "sign_in"), from),
    refusals: chartOf(named("refusal", "refusal"), from),
  };
}

type Row = { day: number; name: string; count: number };

function chartOf(rows: readonly Row[], from: number): UseChart {
  const totals = new Map<string, number>();
  for (const { name, count } of rows) totals.set(name, (totals.get(name) ?? 0) + count);
  const series = [...totals]
    .map(([name, total]) => ({ name, total }))
    .toSorted((a, b) => b.total - a.total || (a.name < b.name ? -1 : 1));
  const bars = Array.from({ length: DAYS }, (_, day) => ({ at: from + day * DAY, counts: series.map(() => 0) }));
  for (const { day, name, count } of rows) {
    const { counts } = bars[(day - from) / DAY] ?? {};
    if (counts) counts[series.findIndex((one) => one.name === name)] = count;
  }
  return { total: series.reduce((sum, { total }) => sum + total, 0), before: null, series, bars };
}
