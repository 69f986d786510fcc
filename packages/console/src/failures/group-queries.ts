import type { FailureGroup } from "@gatehouse/auth";
import type { Db, ReadDb, Tables, WriteQuery } from "@gatehouse/db/query/db";
import type { Position } from "@gatehouse/db/query/page";
import { type FoundRows, scanPage } from "@gatehouse/db/query/scan";
import {
  and,
  asc,
  desc,
  eq,
  exists,
  gt,
  gte,
  inArray,
  isNotNull,
  isNull,
  lt,
  lte,
  or,
  type SQL,
  sql,
} from "drizzle-orm";
import { type NamedClientColumns, namedClientColumns } from "../clients/named-client.ts";
import type { FailureGroupFilter } from "../lists/lists.ts";

/** A group with its client, if that is a client still. */
export type FailureGroupRow = FailureGroup &
  NamedClientColumns & {
    key: string;
    firstAt: number;
    lastAt: number;
    count: number;
    mutedUntil: number | null;
    resolvedAt: number | null;
    regressedAt: number | null;
  };

const columns = ({ refusalGroups: g, ...tables }: Tables) => ({
  key: g.key,
  cause: g.cause,
  endpoint: g.endpoint,
  clientId: g.clientId,
  difference: g.difference,
  firstAt: g.firstAt,
  lastAt: g.lastAt,
  count: g.count,
  mutedUntil: g.mutedUntil,
  resolvedAt: g.resolvedAt,
  regressedAt: g.regressedAt,
  ...namedClientColumns(tables),
});

/**
 * The regressed groups first, then by the last refusal. There are at most a few thousand groups, so no filter needs an
 * index. CO-46.
 */
export function listFailureGroups(
  db: ReadDb,
  filter: FailureGroupFilter & { now: number },
  position: Position | undefined,
  limit: number,
): Promise<FoundRows<FailureGroupRow>> {
  const { tables } = db;
  const { refusalGroups: g, clients, applications } = tables;
  const index = { table: g, at: g.lastAt, id: g.key };
  const residual = and(matches(db, filter), isNull(g.regressedAt));
  const listed = (condition: SQL | undefined, order: SQL[], most: number) =>
    db
      .select(columns(tables))
      .from(g)
      .leftJoin(clients, eq(clients.id, g.clientId))
      .leftJoin(applications, eq(applications.id, clients.applicationId))
      .where(condition)
      .orderBy(...order)
      .limit(most);
  return scanPage(db, { index, from: filter.from, to: filter.to, residual, position, limit }, (condition, order) =>
    listed(condition, order, limit + 1),
  );
}

/** The groups that came back after somebody resolved them: the most recent two hundred. */
export function listRegressedGroups(
  db: ReadDb,
  filter: FailureGroupFilter & { now: number },
): Promise<FailureGroupRow[]> {
  const { tables } = db;
  const { refusalGroups: g, clients, applications } = tables;
  return db
    .select(columns(tables))
    .from(g)
    .leftJoin(clients, eq(clients.id, g.clientId))
    .leftJoin(applications, eq(applications.id, clients.applicationId))
    .where(and(matches(db, filter), isNotNull(g.regressedAt)))
    .orderBy(desc(g.lastAt), desc(g.key))
    .limit(200);
}

function matches(
  db: ReadDb,
  { clientId, cause, endpoint, environment, state, from, to, now }: FailureGroupFilter & { now: number },
): SQL | undefined {
  const { refusalGroups: g, clients } = db.tables;
  const ofEnvironment = db
    .select({ one: sql`1` })
    .from(clients)
    .where(and(eq(clients.id, g.clientId), environment && eq(clients.environment, environment)));
  return and(
    clientId === undefined ? undefined : eq(g.clientId, clientId),
    cause === undefined ? undefined : eq(g.cause, cause),
    endpoint === undefined ? undefined : eq(g.endpoint, endpoint),
    environment && exists(ofEnvironment),
    from === undefined ? undefined : gte(g.lastAt, from),
    to === undefined ? undefined : lte(g.lastAt, to),
    state === undefined ? undefined : inState(g, state, now),
  );
}

/** Whether a group is in this state at this time. */
export function inState(
  g: Tables["refusalGroups"],
  state: NonNullable<FailureGroupFilter["state"]>,
  now: number,
): SQL | undefined {
  const audible = or(isNull(g.mutedUntil), lte(g.mutedUntil, now));
  switch (state) {
    case "open":
      return and(isNull(g.resolvedAt), audible);
    case "regressed":
      return and(isNull(g.resolvedAt), audible, isNotNull(g.regressedAt));
    case "muted":
      return and(isNull(g.resolvedAt), gt(g.mutedUntil, now));
    case "resolved":
      return isNotNull(g.resolvedAt);
  }
}

export async function findFailureGroup(db: ReadDb, key: string): Promise<FailureGroupRow | undefined> {
  const { tables } = db;
  const { refusalGroups: g, clients, applications } = tables;
  const [row] = await db
    .select(columns(tables))
    .from(g)
    .leftJoin(clients, eq(clients.id, g.clientId))
    .leftJoin(applications, eq(applications.id, clients.applicationId))
    .where(eq(g.key, key));
  return row;
}

/** How many refusals each of these groups had in each hour since `from`; hours without one are left out. */
export async function failureHours(
  db: ReadDb,
  keys: readonly string[],
  from: number,
): Promise<{ groupKey: string; at: number; count: number }[]> {
  const { refusalGroupHours: h } = db.tables;
  if (keys.length === 0) return [];
  return db
    .select()
    .from(h)
    .where(and(inArray(h.groupKey, [...keys]), gte(h.at, from)))
    .orderBy(asc(h.groupKey), asc(h.at));
}

/** A group whose refusals rose. `recent` is their number since `from`, `earlier` that between `before` and `from`. */
export type SpikingGroup = Pick<FailureGroupRow, "key" | "cause" | "applicationName" | "clientName" | "environment"> & {
  recent: number;
  earlier: number;
};

/**
 * Groups that are not muted with at least `least` refusals since `from`, which were at least `times` as frequent as
 * between `before` and `from`; those with the most first. Reads the hours of at most 5,000 groups. CO-09.
 */
export async function listSpikingGroups(
  db: ReadDb,
  {
    now,
    from,
    before,
    least,
    times,
    limit,
  }: { now: number; from: number; before: number; least: number; times: number; limit: number },
): Promise<SpikingGroup[]> {
  const { refusalGroups: g, refusalGroupHours: h, clients, applications } = db.tables;
  const total = sql<number>`sum(${h.count})`;
  const recent = db
    .select({ key: h.groupKey, recent: total.mapWith(Number).as("recent") })
    .from(h)
    .where(gte(h.at, from))
    .groupBy(h.groupKey)
    .having(gte(total, least))
    .as("recently");
  const week = db
    .select({ earlier: sql`coalesce(sum(${h.count}), 0)` })
    .from(h)
    .where(and(eq(h.groupKey, recent.key), gte(h.at, before), lt(h.at, from)));
  return db
    .select({
      key: g.key,
      cause: g.cause,
      recent: recent.recent,
      earlier: sql<number>`${week}`.mapWith(Number),
      applicationName: applications.name,
      clientName: clients.name,
      environment: clients.environment,
    })
    .from(recent)
    .innerJoin(g, eq(g.key, recent.key))
    .leftJoin(clients, eq(clients.id, g.clientId))
    .leftJoin(applications, eq(applications.id, clients.applicationId))
    .where(
      and(
        or(isNull(g.mutedUntil), lte(g.mutedUntil, now)),
        sql`${recent.recent} * ${from - before} >= ${times * (now - from)} * ${week}`,
      ),
    )
    .orderBy(desc(recent.recent), asc(g.key))
    .limit(limit);
}

/** Changes a person's view of a group; returns no row if there is none. */
export function groupStateUpdate(
  db: Db,
  key: string,
  state: { mutedUntil: number | null; resolvedAt: number | null },
): WriteQuery {
  const { refusalGroups: g } = db.tables;
  return db
    .update(g)
    .set({ ...state, regressedAt: null })
    .where(eq(g.key, key))
    .returning({ key: g.key });
}
