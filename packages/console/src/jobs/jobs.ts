import type { Db, WriteQuery } from "@gatehouse/db/query/db";
import {
  dropJob as deleteJob,
  findJob,
  type JobChange,
  type JobRow,
  listJobRows,
  requeueJob,
} from "@gatehouse/db/stores/jobs/jobs";
import { setEventState } from "@gatehouse/db/stores/webhooks/handler-runs";
import { z } from "zod";
import { type AuditDeps, auditWrite } from "../audit/entry.ts";
import type { OperationDeps } from "../deps.ts";
import { DomainError } from "../domain-error.ts";
import type { Author } from "../permissions.ts";

/**
 * `due` jobs run next; `waiting` ones failed and will be tried again, or wait for another job; `dead` ones are kept for
 * seven days.
 */
export const JOB_STATES = ["due", "waiting", "running", "dead"] as const;

export type JobView = Omit<JobRow, "running"> & { state: (typeof JOB_STATES)[number] };

/** The jobs that are not dead, those that are due first, or the dead ones, newest first; at most `limit`. */
export async function listJobs(
  { state, queue, limit }: { state: "pending" | "dead"; queue?: string | undefined; limit: number },
  { reads, now }: Pick<OperationDeps, "reads" | "now">,
): Promise<JobView[]> {
  const at = now();
  const rows = await listJobRows(reads, { dead: state === "dead", queue, limit, now: at });
  return rows.map(({ running, ...row }) => ({ ...row, state: stateOf(row, running, at) }));
}

function stateOf({ deadAt, runAt }: Pick<JobRow, "deadAt" | "runAt">, running: boolean, now: number): JobView["state"] {
  if (deadAt !== null) return "dead";
  if (running) return "running";
  return runAt > now ? "waiting" : "due";
}

/** Runs a waiting or dead job now, with all its attempts. Throws `not_found`, or `conflict` while it runs. */
export async function retryJob(id: string, author: Author, deps: AuditDeps): Promise<void> {
  const objectName = (await findJob(deps.db, id))?.queue;
  assertChanged(
    await requeueJob(deps.db, id, [auditWrite(author, { action: "job.retry", object: id, objectName }, deps)]),
  );
}

/**
 * Deletes a job; its work is never done, and the event of a webhook handler is given up. Throws `not_found`, or
 * `conflict` while it runs.
 */
export async function dropJob(id: string, author: Author, deps: AuditDeps): Promise<void> {
  const { db } = deps;
  const job = await findJob(db, id);
  const audited = auditWrite(author, { action: "job.drop", object: id, objectName: job?.queue }, deps);
  assertChanged(await deleteJob(db, id, [...givingUp(db, job?.payload), audited]));
}

const handlerJob = z.object({ endpoint: z.string(), eventKey: z.string(), handler: z.string() });

function givingUp(db: Db, payload: unknown): WriteQuery[] {
  const { data } = handlerJob.safeParse(payload);
  return data
    ? [
        setEventState(db, { endpoint: data.endpoint, eventKey: Buffer.from(data.eventKey, "base64url") }, "dead", [
          "handled",
        ]),
      ]
    : [];
}

function assertChanged(change: JobChange): void {
  if (change === "unknown") throw new DomainError("not_found", "There is no such job. A job that is done is deleted.");
  if (change === "running") throw new DomainError("conflict", "The job is running. Wait until it ends.");
}
