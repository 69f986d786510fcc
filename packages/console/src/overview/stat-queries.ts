import type { ReadDb } from "@gatehouse/db/query/db";
import { and, eq, gte, inArray, sql } from "drizzle-orm";

type Range = {
  /** Counts per hour go back 35 days, counts per day (UTC) 400. */
  resolution: "hour" | "day";
  /** Unix seconds, inclusive. */
  from: number;
  metrics: readonly string[];
  /** All environments if left out. */
  environment?: string | undefined;
};

const tableOf = ({ tables: { statHour, statDay } }: ReadDb, resolution: Range["resolution"]) =>
  resolution === "hour" ? statHour : statDay;

/** Counts by time, metric and key. `at` is the start of the hour or day, or of the step of `stepSeconds`. */
export async function statSeries(
  db: ReadDb,
  { resolution, from, metrics, environment, stepSeconds }: Range & { stepSeconds?: number },
): Promise<{ at: number; metric: string; key: string; count: number }[]> {
  const stat = tableOf(db, resolution);
  const at =
    stepSeconds === undefined
      ? stat.at
      : sql<number>`${stat.at} - ${stat.at} % ${sql.raw(String(stepSeconds))}`.mapWith(Number);
  return db
    .select({ at, metric: stat.metric, key: stat.key, count: sum(stat) })
    .from(stat)
    .where(
      and(
        gte(stat.at, from),
        inArray(stat.metric, [...metrics]),
        environment === undefined ? undefined : eq(stat.environment, environment),
      ),
    )
    .groupBy(at, stat.metric, stat.key);
}

/** Counts by metric and key over the whole range. */
export async function statTotals(
  db: ReadDb,
  { resolution, from, metrics, environment }: Range,
): Promise<{ metric: string; key: string; count: number }[]> {
  const stat = tableOf(db, resolution);
  return db
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

/** In how many hours since `from` each key of a metric was counted. */
export async function hoursWithCounts(
  db: ReadDb,
  { from, metric }: { from: number; metric: string },
): Promise<{ key: string; hours: number }[]> {
  const { statHour: stat } = db.tables;
  const hours = sql<number>`count(distinct ${stat.at})`.mapWith(Number);
  return db
    .select({ key: stat.key, hours })
    .from(stat)
    .where(and(gte(stat.at, from), eq(stat.metric, metric)))
    .groupBy(stat.key);
}

/** PostgreSQL sums integers to a bigint, which its driver returns as text. */
const sum = ({ count }: ReturnType<typeof tableOf>) => sql<number>`sum(${count})`.mapWith(Number);
