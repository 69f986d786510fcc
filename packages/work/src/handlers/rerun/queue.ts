import type { Role } from "@gatehouse/auth";
import type { Db, WriteQuery } from "@gatehouse/db/query/db";
import type { RerunState } from "@gatehouse/db/schema/sqlite/webhook-runs";
import { findUser } from "@gatehouse/db/stores/accounts/users";
import { type Job, leaseFence } from "@gatehouse/db/stores/jobs/job-outcomes";
import { findRerun, type RerunProgress, type RerunRow, saveRerun } from "@gatehouse/db/stores/webhooks/reruns";
import { exponential } from "../../jobs/backoff.ts";
import type { Queue } from "../../jobs/queue.ts";
import type { HandleDeps } from "../running/handle.ts";
import { LostJob } from "../running/run.ts";
import { rerunDelivery, type Verdict } from "./delivery.ts";
import { type Batch, type ListMatching, nextBatch } from "./selection.ts";

export type RerunDeps = HandleDeps & {
  listMatching: ListMatching;
};

const TIMEOUT_SECONDS = 6 * 3600;
/** How many deliveries of a run are handled at once. */
const TOGETHER = 5;
/** A filter's run ends after so many deliveries. */
const MOST_DELIVERIES = 10_000;
const MOST_PROBLEMS = 1000;

/** The queue of reruns. Progress is saved after every few deliveries, and a rerun continues there after a crash. */
export function rerunQueue(deps: RerunDeps): Queue {
  return {
    async run(job, { signal }) {
      const row = await findRerun(deps.db, idOf(job));
      if (row) await workOff(row, { signal, lease: job }, deps);
    },
    concurrency: 2,
    timeoutSeconds: TIMEOUT_SECONDS,
    maxAttempts: 10,
    backoff: exponential({ firstSeconds: 2, mostSeconds: 60 }),
    whenBuried: (job, cause) => giveUp(idOf(job), `Stopped: ${cause}.`, deps),
  };
}

const idOf = ({ payload }: Job) => (payload as { rerunId: string }).rerunId;

/** The job of a run, which it saves its progress under. */
type RunningJob = { signal: AbortSignal; lease: Job };

async function workOff(row: RerunRow, { signal, lease }: RunningJob, deps: RerunDeps): Promise<void> {
  let progress: RerunProgress = row;
  let state: RerunState | undefined = row.state;
  while (isOpen(state)) {
    const batch = await nextBatch(row.selection, progress.cursor, TOGETHER, deps.listMatching);
    const author = await roleOfAuthor(row, deps);
    if ("stopped" in author) return stop(row.id, progress, { batch, message: author.stopped }, lease, deps);
    const run = { trigger: row.trigger, actorName: row.actorName, role: author.role, signal, lease };
    const verdicts = await Promise.all(batch.ids.map((id) => rerunDelivery(id, run, deps)));
    progress = advance(progress, batch, verdicts);
    const ended = batch.cursor === null || doneOf(progress) >= MOST_DELIVERIES;
    await save(row.id, progress, ended, lease, deps);
    if (ended) return;
    state = (await findRerun(deps.db, row.id))?.state; // a cancelled run saves nothing
  }
}

/** The role that the person who started the run has now, or why the run must stop. CO-56. */
async function roleOfAuthor(
  { actorId, actorName }: RerunRow,
  { db }: { db: Db },
): Promise<{ role: Role } | { stopped: string }> {
  const user = await findUser(db, actorId);
  if (!user) return { stopped: `Stopped: the account of ${actorName} was deleted.` };
  if (user.disabledAt !== null || user.deleteAfter !== null)
    return { stopped: `Stopped: the account of ${actorName} is disabled.` };
  if (user.role !== "admin" && user.role !== "developer")
    return { stopped: `Stopped: ${actorName} is no longer an admin or developer, and may not run handlers.` };
  return { role: user.role };
}

/** Cancels a run, and names the reason at the delivery that was next. */
async function stop(
  id: string,
  progress: RerunProgress,
  { batch, message }: { batch: Batch; message: string },
  lease: Job,
  { db, now }: RerunDeps,
): Promise<void> {
  const problems = batch.ids.slice(0, 1).map((deliveryId) => ({ deliveryId, verdict: "skipped" as const, message }));
  const change = {
    ...progress,
    problems: [...progress.problems, ...problems],
    state: "cancelled" as const,
    finishedAt: now(),
  };
  if (!(await db.guarded(leaseFence(db, lease), [saveRerun(db, id, change)])))
    throw new LostJob("another process works on this run now");
}

/** Cancels a rerun whose job is dead: no worker will continue it. */
async function giveUp(id: string, message: string, { db, now, listMatching }: RerunDeps): Promise<WriteQuery[]> {
  const row = await findRerun(db, id);
  if (!row || !isOpen(row.state)) return [];
  const { ids } = await nextBatch(row.selection, row.cursor, 1, listMatching);
  const problems = ids.map((deliveryId) => ({ deliveryId, verdict: "skipped" as const, message }));
  return [
    saveRerun(db, id, { ...row, problems: [...row.problems, ...problems], state: "cancelled", finishedAt: now() }),
  ];
}

const isOpen = (state: RerunState | undefined) => state === "queued" || state === "running";
const doneOf = ({ succeeded, failed, skipped }: RerunProgress) => succeeded + failed + skipped;

async function save(
  id: string,
  progress: RerunProgress,
  ended: boolean,
  lease: Job,
  { db, now }: RerunDeps,
): Promise<void> {
  const change = {
    ...progress,
    state: ended ? ("done" as const) : ("running" as const),
    finishedAt: ended ? now() : null,
  };
  if (!(await db.guarded(leaseFence(db, lease), [saveRerun(db, id, change)])))
    throw new LostJob("another process works on this run now");
}

function advance(progress: RerunProgress, { ids, cursor }: Batch, verdicts: readonly Verdict[]): RerunProgress {
  const count = (kind: Verdict["verdict"]) => verdicts.filter(({ verdict }) => verdict === kind).length;
  const problems = verdicts.flatMap((one, at) =>
    one.verdict === "succeeded" ? [] : [{ deliveryId: ids[at] ?? "", verdict: one.verdict, message: one.message }],
  );
  const counted = {
    succeeded: progress.succeeded + count("succeeded"),
    failed: progress.failed + count("failed"),
    skipped: progress.skipped + count("skipped"),
  };
  const done = counted.succeeded + counted.failed + counted.skipped;
  return {
    ...counted,
    cursor,
    total: progress.totalKnown ? progress.total : done,
    totalKnown: progress.totalKnown || cursor === null || done >= MOST_DELIVERIES,
    problems: [...progress.problems, ...problems].slice(0, MOST_PROBLEMS),
  };
}
