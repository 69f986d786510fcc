import { and, asc, eq, gt, inArray, isNull, ne, type SQL, sql } from "drizzle-orm";
import { databaseNow, inSeconds } from "../../query/clock.ts";
import type { Db, WriteQuery } from "../../query/db.ts";

/** A job that a worker holds. */
export type Job = {
  id: string;
  queue: string;
  orderKey: string | null;
  payload: unknown;
  /** How often it was started, this time included. */
  attempts: number;
  /** Proves that the worker holds the job: a worker that claims it later replaces the token. */
  leaseToken: string;
  /** Unix seconds. */
  createdAt: number;
};

/** What a worker shows to end or extend its job. Another worker that claims the job replaces the token. */
export type JobLease = Pick<Job, "id" | "queue" | "orderKey" | "leaseToken">;

/**
 * A write that returns a row only while the worker still holds the job, as the first of {@link Db.guarded}: the rest
 * then cannot happen twice. Locks the job's row until the commit.
 */
export function leaseFence(db: Db, { id, leaseToken }: JobLease): WriteQuery {
  const { jobs } = db.tables;
  return db
    .update(jobs)
    .set({ leaseToken })
    .where(and(eq(jobs.id, id), eq(jobs.leaseToken, leaseToken)))
    .returning({ id: jobs.id });
}

/** Extends leases to `seconds` from now. Returns the ids of the jobs that are still held. */
export async function extendLeases(db: Db, held: readonly JobLease[], seconds: number): Promise<Set<string>> {
  const { jobs } = db.tables;
  if (held.length === 0) return new Set();
  const extended = await db
    .update(jobs)
    .set({ runAt: inSeconds(db, seconds) })
    .where(isHeld(db, held))
    .returning({ id: jobs.id, leaseToken: jobs.leaseToken });
  const kept = new Set(extended.map(({ id, leaseToken }) => `${id} ${leaseToken}`));
  return new Set(held.filter(({ id, leaseToken }) => kept.has(`${id} ${leaseToken}`)).map(({ id }) => id));
}

/** Deletes a job that is done. Returns false if the worker had lost it. */
export function finishJob(db: Db, job: JobLease): Promise<boolean> {
  const { jobs } = db.tables;
  return endTurn(
    db,
    job,
    db
      .delete(jobs)
      .where(isHeld(db, [job]))
      .returning({ id: jobs.id }),
  );
}

/**
 * Records a failure; the job is due again in `seconds`. Jobs of the same key keep waiting. Returns false if the worker
 * had lost it.
 */
export async function retryJob(
  db: Db,
  job: JobLease,
  { error, seconds }: { error: string; seconds: number },
): Promise<boolean> {
  const { jobs } = db.tables;
  const changed = await db
    .update(jobs)
    .set({ leaseToken: null, lastError: error, runAt: inSeconds(db, seconds) })
    .where(isHeld(db, [job]))
    .returning({ id: jobs.id });
  return changed.length === 1;
}

/**
 * Records the last failure of a job, and makes `also`: it is kept, but not tried again. Returns false if the worker had
 * lost it.
 */
export function buryJob(db: Db, job: JobLease, error: string, also: readonly WriteQuery[] = []): Promise<boolean> {
  const { jobs } = db.tables;
  const dead = { leaseToken: null, lastError: error, deadAt: databaseNow(db) };
  return endTurn(
    db,
    job,
    db
      .update(jobs)
      .set(dead)
      .where(isHeld(db, [job]))
      .returning({ id: jobs.id }),
    also,
  );
}

/** Gives jobs back as if they had not been started; they are due again in `seconds`. */
export async function releaseJobs(db: Db, held: readonly JobLease[], seconds: number): Promise<void> {
  const { jobs } = db.tables;
  if (held.length === 0) return;
  await db
    .update(jobs)
    .set({ leaseToken: null, attempts: sql`${jobs.attempts} - 1`, runAt: inSeconds(db, seconds) })
    .where(isHeld(db, held));
}

/** Runs `end`; if it takes effect, `also` runs, and the next job of the same key is due. */
function endTurn(db: Db, job: JobLease, end: WriteQuery, also: readonly WriteQuery[] = []): Promise<boolean> {
  return db.guarded(end, job.orderKey === null ? also : [...also, makeNextJobDue(db, job)]);
}

/**
 * Makes the oldest other job of the key due, in the place that it had before it waited, unless it waits after a failure
 * of its own.
 */
export function makeNextJobDue(db: Db, { id, queue, orderKey }: Omit<JobLease, "leaseToken">): WriteQuery {
  const { jobs } = db.tables;
  const next = db
    .select({ id: jobs.id })
    .from(jobs)
    .where(and(eq(jobs.queue, queue), eq(jobs.orderKey, orderKey ?? ""), isNull(jobs.deadAt), ne(jobs.id, id)))
    .orderBy(asc(jobs.id))
    .limit(1);
  const now = databaseNow(db);
  return db
    .update(jobs)
    .set({ runAt: sql`case when ${jobs.createdAt} < ${now} then ${jobs.createdAt} else ${now} end` })
    .where(and(inArray(jobs.id, next), eq(jobs.attempts, 0), gt(jobs.runAt, now)));
}

function isHeld({ tables: { jobs } }: Db, held: readonly JobLease[]): SQL | undefined {
  const ids = held.map(({ id }) => id);
  const tokens = held.map(({ leaseToken }) => leaseToken);
  return and(inArray(jobs.id, ids), inArray(jobs.leaseToken, tokens));
}
