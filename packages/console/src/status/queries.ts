import type { ReadDb } from "@gatehouse/db/query/db";
import { count, min, sql } from "drizzle-orm";

/** Jobs of one queue in one state. `oldestAt`: when the first of them was due, Unix seconds. */
export type JobCounts = {
  queue: string;
  state: "due" | "waiting" | "running" | "dead";
  count: number;
  oldestAt: number;
};

/** Counting more would take longer than anybody wants to wait. */
const MOST_COUNTED = 100_000;

/** Jobs by queue and state. Looks at no more than 100,000 of them. */
export async function countJobs(db: ReadDb, now: number): Promise<JobCounts[]> {
  const { jobs: j } = db.tables;
  const state = sql<JobCounts["state"]>`case when ${j.deadAt} is not null then 'dead'
    when ${j.leaseToken} is not null and ${j.runAt} > ${now} then 'running'
    when ${j.runAt} > ${now} then 'waiting' else 'due' end`;
  const some = db
    .select({ queue: j.queue, state: state.as("state"), runAt: j.runAt })
    .from(j)
    .limit(MOST_COUNTED)
    .as("some");
  const rows = await db
    .select({ queue: some.queue, state: some.state, count: count(), oldestAt: min(some.runAt) })
    .from(some)
    .groupBy(some.queue, some.state);
  return rows.map((row) => ({ ...row, oldestAt: row.oldestAt ?? now }));
}

/** The key of each algorithm that signs now, with its age in seconds. */
export async function listSigningKeys(db: ReadDb, now: number): Promise<{ algorithm: string; ageSeconds: number }[]> {
  const { signingKeys: k } = db.tables;
  // The first key is active from 0 on.
  const signsSince = sql<number>`case when ${k.activeFrom} > ${k.createdAt} then ${k.activeFrom} else ${k.createdAt} end`;
  const rows = await db
    .select({ algorithm: k.algorithm, signsSince: sql<number | null>`max(${signsSince})`.mapWith(Number) })
    .from(k)
    .where(sql`${k.activeFrom} <= ${now}`)
    .groupBy(k.algorithm);
  return rows.map(({ algorithm, signsSince }) => ({ algorithm, ageSeconds: now - (signsSince ?? now) }));
}
