import { and, count, desc, eq, isNull, lt, type SQL, sql } from "drizzle-orm";
import type { PgColumn, PgTable } from "drizzle-orm/pg-core";
import type { ReadDb } from "../query/db.ts";
import { notAccepted } from "../schema/index-conditions.ts";

/** How many entries of an index one statement passes: on SQLite they are read on the event loop. */
const STEP = 2_000;
/** How many different times one statement groups by. */
const TIMES = 24;

/** An index, newest first: by `at` and `id`, or by time-ordered ids alone. `rows`: which of the rows it is about. */
type Order = { table: PgTable; at?: PgColumn; id: PgColumn; rows?: SQL | undefined };

/**
 * Matches all but the `newest` rows in that order; undefined if there are no more. Finds the bound once and in steps,
 * so that no deletion counts the newest rows again. OP-36.
 */
export async function olderThanNewest(db: ReadDb, order: Order, newest: number): Promise<SQL | undefined> {
  const { table, at, id, rows } = order;
  let bound: { at: unknown; id: unknown } | undefined;
  for (let left = newest; left > 0; left -= STEP) {
    const [next] = await db
      .select({ id, ...(at && { at }) })
      .from(table)
      .where(and(rows, bound && before(order, bound)))
      .orderBy(...(at ? [desc(at)] : []), desc(id))
      .limit(1)
      .offset(Math.min(left, STEP) - 1);
    if (!next) return undefined;
    bound = { at: next["at"], id: next["id"] };
  }
  return and(rows, bound && before(order, bound));
}

function before({ at, id }: Order, bound: { at: unknown; id: unknown }): SQL {
  return at ? sql`(${at}, ${id}) < (${bound.at}, ${bound.id})` : sql`${id} < ${bound.id}`;
}

/** The last time at which the counts exceed `newest` rows, all later ones included; undefined if they do not. */
export async function timeBeyondNewest(
  db: ReadDb,
  stat: ReadDb["tables"]["statHour" | "statDay"],
  newest: number,
): Promise<number | undefined> {
  let seen = 0;
  for (let before: number | undefined; ; ) {
    const times: { at: number; rows: number }[] = await db
      .select({ at: stat.at, rows: count() })
      .from(stat)
      .where(before === undefined ? undefined : lt(stat.at, before))
      .groupBy(stat.at)
      .orderBy(desc(stat.at))
      .limit(TIMES);
    for (const { at, rows } of times) {
      seen += rows;
      if (seen > newest) return at;
    }
    before = times.at(-1)?.at;
    if (times.length < TIMES) return undefined;
  }
}

/**
 * Matches the rejected deliveries of each endpoint that has more than `newest`, older than those. Reads only the index
 * on the outcome, in steps.
 */
export async function excessRejections(db: ReadDb, newest: number): Promise<(SQL | undefined)[]> {
  const { webhookDeliveries: d } = db.tables;
  const rejected = and(eq(d.outcome, "rejected"), notAccepted(d));
  const excess: (SQL | undefined)[] = [];
  for (const endpoint of await crowdedEndpoints(db, rejected, newest)) {
    // In a form that the index on the endpoint does not serve
    const own = and(rejected, sql`${d.endpoint} || '' = ${endpoint}`);
    const older = await olderThanNewest(db, { table: d, at: d.outcome, id: d.id, rows: own }, newest);
    if (older) excess.push(older);
  }
  return excess;
}

/** The endpoints with more than `newest` rejected deliveries. */
async function crowdedEndpoints(db: ReadDb, rejected: SQL | undefined, newest: number): Promise<string[]> {
  const { webhookDeliveries: d } = db.tables;
  const found = new Map<string, number>();
  for (let last: string | undefined; ; ) {
    const step = db
      .select({ endpoint: d.endpoint, id: d.id })
      .from(d)
      .where(and(rejected, last === undefined ? undefined : sql`(${d.outcome}, ${d.id}) < ('rejected', ${last})`))
      .orderBy(desc(d.outcome), desc(d.id))
      .limit(STEP)
      .as("step");
    const parts = await db
      .select({ endpoint: step.endpoint, rows: count(), first: sql<string>`min(${step.id})` })
      .from(step)
      .groupBy(step.endpoint);
    for (const { endpoint, rows } of parts) found.set(endpoint, (found.get(endpoint) ?? 0) + rows);
    last = parts.map(({ first }) => first).sort()[0];
    if (parts.reduce((sum, { rows }) => sum + rows, 0) < STEP) break;
  }
  return [...found].filter(([, rows]) => rows > newest).map(([endpoint]) => endpoint);
}

/** Refusals from before there were groups, beyond the newest. */
export function excessUngrouped(db: ReadDb, newest: number): Promise<SQL | undefined> {
  const { refusals: r } = db.tables;
  return olderThanNewest(db, { table: r, at: r.at, id: r.errorId, rows: isNull(r.groupKey) }, newest);
}

/** Matches the groups of failures beyond `newest`: those without a client go first, then the oldest. */
export async function excessGroups(db: ReadDb, newest: number): Promise<SQL | undefined> {
  const { refusalGroups: g } = db.tables;
  const rank = sql<number>`case when ${g.clientId} is null then 0 else 1 end`;
  const [last] = await db
    .select({ rank, at: g.lastAt, key: g.key })
    .from(g)
    .orderBy(desc(rank), desc(g.lastAt), desc(g.key))
    .limit(1)
    .offset(newest - 1);
  return last && sql`(${rank}, ${g.lastAt}, ${g.key}) < (${sql.raw(String(last.rank))}, ${last.at}, ${last.key})`;
}
