import { and, asc, desc, eq, isNotNull, isNull, lte, or, type SQL } from "drizzle-orm";
import { databaseNow } from "../../query/clock.ts";
import type { Handle, ReadHandle, WriteQuery } from "../../query/handle.ts";
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

/** The insert of a job, for {@link Handle.transaction} and {@link Handle.guarded}. */
export function jobInsert(handle: Handle, { id, queue, orderKey = null, payload, runAt, createdAt }: NewJob): WriteQuery {
  return handle.db
    .insert(handle.tables.jobs)
    .values({ id, queue, orderKey, payload, runAt: runAt ?? databaseNow(handle), createdAt })
    .onConflictDoNothing();
}

/** Adds jobs, all or none. */
export async function addJobs(handle: Handle, jobs: readonly NewJob[]): Promise<void> {
  if (jobs.length > 0) await handle.transaction(jobs.map((job) => jobInsert(handle, job)));
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
  { db, tables: { jobs } }: ReadHandle,
  { dead, queue, limit, now }: { dead: boolean; queue: string | undefined; limit: number; now: number },
): Promise<JobRow[]> {
  const rows = await db
    .select()
    .from(jobs)
    .where(and(dead ? isNotNull(jobs.deadAt) : isNull(jobs.deadAt), queue === undefined ? undefined : eq(jobs.queue, queue)))
    .orderBy(...(dead ? [desc(jobs.deadAt), desc(jobs.id)] : [asc(jobs.queue), asc(jobs.runAt), asc(jobs.id)]))
    .limit(limit);
  return rows.map(({ payload: _, leaseToken, ...row }) => ({ ...row, running: leaseToken !== null && row.runAt > now }));
}

/** What became of a request to change a job. */
export type JobChange = "changed" | "running" | "unknown";

/** Makes a job due now, with all its attempts, whether it waits or is dead. */
export async function requeueJob(handle: Handle, id: string, also: readonly WriteQuery[] = []): Promise<JobChange> {
  const { db, tables } = handle;
  const { jobs } = tables;
  const requeue = db
    .update(jobs)
    .set({ runAt: databaseNow(handle), attempts: 0, deadAt: null, leaseToken: null })
    .where(and(eq(jobs.id, id), isIdle(handle)))
    .returning({ id: jobs.id });
  return (await handle.guarded(requeue, also)) ? "changed" : whyNot(handle, id);
}

/** Deletes a job, so that its work is never done, and makes `rest` in the same transaction. */
export async function dropJob(handle: Handle, id: string, rest: readonly WriteQuery[] = []): Promise<JobChange> {
  const { db, tables } = handle;
  const { jobs } = tables;
  const [job] = await db.select({ queue: jobs.queue, orderKey: jobs.orderKey }).from(jobs).where(eq(jobs.id, id));
  if (!job) return "unknown";
  const deletion = db
    .delete(jobs)
    .where(and(eq(jobs.id, id), isIdle(handle)))
    .returning({ id: jobs.id });
  const dropped = await handle.guarded(deletion, [...rest, ...(job.orderKey === null ? [] : [makeNextJobDue(handle, { id, ...job })])]);
  return dropped ? "changed" : whyNot(handle, id);
}

/** The queue of a job and what it has to do; undefined if there is no such job. */
export async function findJob({ db, tables: { jobs } }: ReadHandle, id: string): Promise<{ queue: string; payload: unknown } | undefined> {
  const [job] = await db.select({ queue: jobs.queue, payload: jobs.payload }).from(jobs).where(eq(jobs.id, id));
  return job;
}

async function whyNot({ db, tables: { jobs } }: ReadHandle, id: string): Promise<JobChange> {
  const found = await db.select({ id: jobs.id }).from(jobs).where(eq(jobs.id, id));
  return found.length === 1 ? "running" : "unknown";
}

function isIdle(handle: Handle): SQL | undefined {
  const { jobs } = handle.tables;
  return or(isNull(jobs.leaseToken), lte(jobs.runAt, databaseNow(handle)));
}
