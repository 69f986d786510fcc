import { and, asc, eq, exists, gt, inArray, isNotNull, isNull, lt, lte, ne, not, type SQL, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/pg-core";
import { databaseNow, inSeconds } from "../../query/clock.ts";
import type { Db } from "../../query/db.ts";
import { type Job, releaseJobs } from "./job-outcomes.ts";

/** `leaseToken` must be new for each claim. */
export type Claim = { queue: string; limit: number; leaseToken: string; leaseSeconds: number };

/** Due jobs that one claim examines. */
const WINDOW = 100;
/**
 * Jobs of one key among which a second lease is looked for. They only exist if the clocks of the processes that added
 * them differ.
 */
const SAME_KEY_EXAMINED = 1000;

/** Whether a job of the queue is due. Takes no lock. */
export async function hasDueJob(db: Db, queue: string): Promise<boolean> {
  const { jobs } = db.tables;
  const found = await db.select({ id: jobs.id }).from(jobs).where(isDue(db, queue)).limit(1);
  return found.length > 0;
}

/**
 * Claims up to `limit` due jobs for `leaseSeconds`, longest due first; returns them in any order. No other worker gets
 * them before the lease ends. OP-23.
 */
export async function claimJobs(db: Db, claim: Claim): Promise<Job[]> {
  const claimed: Job[] = [];
  for (;;) {
    claimed.push(...(await claimRunnable(db, { ...claim, limit: claim.limit - claimed.length })));
    if (claimed.length === claim.limit || !(await isWindowFull(db, claim.queue))) break;
    // Jobs that wait for their turn fill the window and hide others, so they are moved out of it.
    if ((await parkBlocked(db, claim)) === 0) break;
  }
  const unordered = claimed.filter(({ orderKey }) => orderKey === null);
  const ordered = claimed.filter(({ orderKey }) => orderKey !== null);
  return [...unordered, ...(await keepAlone(db, ordered, claim.leaseSeconds))];
}

async function isWindowFull(db: Db, queue: string): Promise<boolean> {
  const { jobs } = db.tables;
  const last = db.select({ id: jobs.id }).from(jobs).where(isDue(db, queue)).orderBy(asc(jobs.runAt), asc(jobs.id));
  return (await last.limit(1).offset(WINDOW - 1)).length === 1;
}

async function claimRunnable(db: Db, { queue, limit, leaseToken, leaseSeconds }: Claim): Promise<Job[]> {
  const { dialect, tables } = db;
  const { jobs } = tables;
  const oldest = oldestDue(db, queue).as("oldest");
  const runnable = db
    .select({ id: jobs.id })
    .from(oldest)
    .innerJoin(jobs, eq(jobs.id, oldest.id))
    .where(and(isDue(db, queue), not(isBlocked(db))))
    .orderBy(asc(oldest.runAt), asc(oldest.id))
    .limit(limit);
  // On PostgreSQL an array, so that the locking query runs exactly once. SQLite has one writer at a time.
  const chosen =
    dialect === "postgres"
      ? sql`${jobs.id} = any(array${runnable.for("update", { of: jobs, skipLocked: true })})`
      : inArray(jobs.id, runnable);
  const rows = await db
    .update(jobs)
    .set({ runAt: inSeconds(db, leaseSeconds), attempts: sql`${jobs.attempts} + 1`, leaseToken })
    .where(chosen)
    .returning();
  return rows.map(({ id, orderKey, payload, attempts, createdAt }) => ({
    id,
    queue,
    orderKey,
    payload,
    attempts,
    leaseToken,
    createdAt,
  }));
}

/**
 * Delays due jobs that wait for an earlier one of their key; the end of that one makes the next due. Returns how many.
 */
async function parkBlocked(db: Db, { queue, leaseSeconds }: Claim): Promise<number> {
  const { jobs } = db.tables;
  const oldest = oldestDue(db, queue).as("oldest");
  const blocked = db.select({ id: jobs.id }).from(oldest).innerJoin(jobs, eq(jobs.id, oldest.id)).where(isBlocked(db));
  const parked = await db
    .update(jobs)
    .set({ runAt: inSeconds(db, leaseSeconds) })
    .where(and(inArray(jobs.id, blocked), isDue(db, queue)))
    .returning({ id: jobs.id });
  return parked.length;
}

/**
 * Gives up jobs whose key another worker holds. Two can be claimed together: a process whose clock is behind adds a job
 * that sorts before the running one. The later claim sees the earlier one here.
 */
async function keepAlone(db: Db, claimed: readonly Job[], leaseSeconds: number): Promise<Job[]> {
  const alone: Job[] = [];
  for (const job of claimed) {
    if (await isKeyTaken(db, job)) await releaseJobs(db, [job], leaseSeconds);
    else alone.push(job);
  }
  return alone;
}

async function isKeyTaken(db: Db, { id, queue, orderKey }: Job): Promise<boolean> {
  const { jobs } = db.tables;
  const oldest = db
    .select({ id: jobs.id, runAt: jobs.runAt, leaseToken: jobs.leaseToken })
    .from(jobs)
    .where(and(eq(jobs.queue, queue), eq(jobs.orderKey, orderKey ?? ""), isNull(jobs.deadAt)))
    .orderBy(asc(jobs.id))
    .limit(SAME_KEY_EXAMINED)
    .as("oldest");
  const others = await db
    .select({ id: oldest.id })
    .from(oldest)
    .where(and(ne(oldest.id, id), isNotNull(oldest.leaseToken), gt(oldest.runAt, databaseNow(db))))
    .limit(1);
  return others.length > 0;
}

function isDue(db: Db, queue: string): SQL | undefined {
  const { jobs } = db.tables;
  return and(eq(jobs.queue, queue), isNull(jobs.deadAt), lte(jobs.runAt, databaseNow(db)));
}

function oldestDue(db: Db, queue: string) {
  const { jobs } = db.tables;
  return db
    .select({ id: jobs.id, runAt: jobs.runAt })
    .from(jobs)
    .where(isDue(db, queue))
    .orderBy(asc(jobs.runAt), asc(jobs.id))
    .limit(WINDOW);
}

/** An earlier job of the same key is not done. */
function isBlocked(db: Db): SQL {
  const { jobs } = db.tables;
  const earlier = alias(jobs, "earlier");
  const sameKey = and(
    eq(earlier.queue, jobs.queue),
    eq(earlier.orderKey, jobs.orderKey),
    isNull(earlier.deadAt),
    lt(earlier.id, jobs.id),
  );
  return exists(db.select({ one: sql`1` }).from(earlier).where(sameKey));
}
