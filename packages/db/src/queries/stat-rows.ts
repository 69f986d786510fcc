import { and, eq, gte, inArray, sql } from "drizzle-orm";
import type { ReadHandle } from "../query/handle.ts";

type Range = {
  /** Counts per hour go back 35 days, counts per day (UTC) 400. */
  resolution: "hour" | "day";
  /** Unix seconds, inclusive. */
  from: number;
  metrics: readonly string[];
  /** All environments if left out. */
  environment?: string | undefined;
};

const tableOf = ({ tables: { statHour, statDay } }: ReadHandle, resolution: Range["resolution"]) =>
  resolution === "hour" ? statHour : statDay;

/** Counts by time, metric and key. `at` is the start of the hour or day. */
export async function statSeries(
  handle: ReadHandle,
  { resolution, from, metrics, environment }: Range,
): Promise<{ at: number; metric: string; key: string; count: number }[]> {
  const stat = tableOf(handle, resolution);
  return handle.db
    .select({ at: stat.at, metric: stat.metric, key: stat.key, count: sum(stat) })
    .from(stat)
    .where(
      and(
        gte(stat.at, from),
        inArray(stat.metric, [...metrics]),
        environment === undefined ? undefined : eq(stat.environment, environment),
      ),
    )
    .groupBy(stat.at, stat.metric, stat.key);
}

/** Counts by metric and key over the whole range. */
export async function statTotals(
  handle: ReadHandle,
  { resolution, from, metrics, environment }: Range,
): Promise<{ metric: string; key: string; count: number }[]> {
  const stat = tableOf(handle, resolution);
  return handle.db
    .select({ metric: stat.metric, key: stat.key, count: sum(stat) })
    .from(stat)
    .where(
      and(
        gte(stat.at, from),
        inArray(stat.metric, [...metrics]),
        environment === undefined ? undefined : eq(stat.environment, environment),
      ),
    )
    .groupBy(stat.metric, stat.key);
}

/** PostgreSQL sums integers to a bigint, which its driver returns as text. */
const sum = ({ count }: ReturnType<typeof tableOf>) => sql<number>`sum(${count})`.mapWith(Number);
