import { databaseNow } from "../query/clock.ts";
import type { Handle, WriteQuery } from "../query/handle.ts";

/** The queue of logout notices; a job's payload is a `LogoutNotice`. */
export const LOGOUT_NOTICE_QUEUE = "logout_notice";

/** A job to add. */
export type NewJob = {
  /** Time-ordered: decides the order within an `orderKey`. A job with an id that exists is not added. */
  id: string;
  queue: string;
  /** Of the jobs of a queue with the same key, one runs at a time, oldest first. */
  orderKey?: string | null;
  /** Anything that JSON can express. */
  payload: unknown;
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
