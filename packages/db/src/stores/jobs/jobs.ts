import { and, asc, desc, eq, isNotNull, isNull, lte, or, type SQL } from "drizzle-orm";
import { databaseNow } from "../../query/clock.ts";
import type { Db, ReadDb, WriteQuery } from "../../query/db.ts";
import { makeNextJobDue } from "./job-outcomes.ts";

/** The queue of logout notices; a job's payload is a `LogoutNotice`. */
export const LOGOUT_NOTICE_QUEUE = "logout_notice";
/** The queue of notices to self-described clients, so that no number of them delays those of the team's. */
export const SELF_DESCRIBED_NOTICE_QUEUE = "logout_notice_self_described";

/** A job to add. */
export type NewJob = {
  /** Time-ordered: decides the order within an `orderKey`. A job with an id that exists is not added. */
  id: string;
  queue: string;
  /** Of the jobs of a queue with the same key, one runs at a time, oldest first. */
  orderKey?: string | null;
  /** Anything that JSON can express, except null. */
  payload: NonNullable<unknown>;
  /** Not before this time, Unix seconds; by default at once. */
  runAt?: number | undefined;
  createdAt: number;
};

/** The insert of a job, for {@link Db.transaction} and {@link Db.guarded}. */
export function jobInsert(db: Db, { id, queue, orderKey = null, payload, runAt, createdAt }: NewJob): WriteQuery {
  return db
    .insert(db.tables.jobs)
    .values({ id, queue, orderKey, payload, runAt: runAt ?? databaseNow(db), createdAt })
    .onConflictDoNothing();
}

/** Adds jobs, all or none. */
export async function addJobs(db: Db, jobs: readonly NewJob[]): Promise<void> {
  if (jobs.length > 0) await db.transaction(jobs.map((job) => jobInsert(db, job)));
}

/** A job as the console shows it: without its payload, which can be personal. */
export type JobRow = {
  id: string;
  queue: string;
  orderKey: string | null;
  attempts: number;
  /** When it is due; while it runs, when its lease ends. Unix seconds. */
  runAt: number;
  running: boolean;
  lastError: string | null;
  deadAt: number | null;
  createdAt: number;
};

/** The first `limit` jobs that are not dead, by queue and then by when they are due, or the last ones that died. */
export async function listJobRows(
  db: ReadDb,
  { dead, queue, limit, now }: { dead: boolean; queue: string | undefined; limit: number; now: number },
): Promise<JobRow[]> {
  const { jobs } = db.tables;
  const rows = await db
    .select()
    .from(jobs)
    .where(
      and(dead ? isNotNull(jobs.deadAt) : isNull(jobs.deadAt), queue === undefined ? undefined : eq(jobs.queue, queue)),
    )
    .orderBy(...(dead ? [desc(jobs.deadAt), desc(jobs.id)] : [asc(jobs.queue), asc(jobs.runAt), asc(jobs.id)]))
    .limit(limit);
  return rows.map(({ payload: _, leaseToken, ...row }) => ({
    ...row,
    running: leaseToken !== null && row.runAt > now,
  }));
}

/** What became of a request to change a job. */
export type JobChange = "changed" | "running" | "unknown";

/** Makes a job due now, with all its attempts, whether it waits or is dead. */
export async function requeueJob(db: Db, id: string, also: readonly WriteQuery[] = []): Promise<JobChange> {
  const { jobs } = db.tables;
  const requeue = db
    .update(jobs)
    .set({ runAt: databaseNow(db), attempts: 0, deadAt: null, leaseToken: null })
    .where(and(eq(jobs.id, id), isIdle(db)))
    .returning({ id: jobs.id });
  return (await db.guarded(requeue, also)) ? "changed" : whyNot(db, id);
}

/** Deletes a job, so that its work is never done, and makes `rest` in the same transaction. */
export async function dropJob(db: Db, id: string, rest: readonly WriteQuery[] = []): Promise<JobChange> {
  const { jobs } = db.tables;
  const [job] = await db.select({ queue: jobs.queue, orderKey: jobs.orderKey }).from(jobs).where(eq(jobs.id, id));
  if (!job) return "unknown";
  const deletion = db
    .delete(jobs)
    .where(and(eq(jobs.id, id), isIdle(db)))
    .returning({ id: jobs.id });
  const dropped = await db.guarded(deletion, [
    ...rest,
    ...(job.orderKey === null ? [] : [makeNextJobDue(db, { id, ...job })]),
  ]);
  return dropped ? "changed" : whyNot(db, id);
}

/** The queue of a job and what it has to do; undefined if there is no such job. */
export async function findJob(db: ReadDb, id: string): Promise<{ queue: string; payload: unknown } | undefined> {
  const { jobs } = db.tables;
  const [job] = await db.select({ queue: jobs.queue, payload: jobs.payload }).from(jobs).where(eq(jobs.id, id));
  return job;
}

async function whyNot(db: ReadDb, id: string): Promise<JobChange> {
  const { jobs } = db.tables;
  const found = await db.select({ id: jobs.id }).from(jobs).where(eq(jobs.id, id));
  return found.length === 1 ? "running" : "unknown";
}

function isIdle(db: Db): SQL | undefined {
  const { jobs } = db.tables;
  return or(isNull(jobs.leaseToken), lte(jobs.runAt, databaseNow(db)));
}
