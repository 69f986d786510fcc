import { mintTimeOrderedId } from "@gatehouse/auth";
import { jobInsert } from "@gatehouse/db/stores/jobs/jobs";
import {
  findReconciliation,
  listDueReconciliations,
  saveReconciliation,
  takeReconciliation,
} from "@gatehouse/db/stores/webhooks/reconciliations";
import type { EndpointSettings } from "@gatehouse/webhooks";
import { exponential } from "../../jobs/backoff.ts";
import type { JobContext, Queue } from "../../jobs/queue.ts";
import type { SendRequest } from "../context.ts";
import { LostJob } from "../running/run.ts";
import { reconcilerOf } from "./index.ts";
import { type Reconciler, settingOf } from "./reconciler.ts";
import { type RecoverDeps, recoverEvents } from "./recover.ts";

export type ReconcileDeps = RecoverDeps & { request: SendRequest };

export const RECONCILE_QUEUE = "reconcile";

/** How often an endpoint is compared with its provider's list. */
const EVERY_SECONDS = 300;
/** Younger events may still be on their way. */
const GRACE_SECONDS = 300;
/** Events can appear in a list after younger ones. */
const OVERLAP_SECONDS = 600;
/** The comparison continues at the next turn. */
const MOST_PAGES = 20;
const LONGEST_ERROR = 500;

/**
 * Where a comparison is: the period, and the next page of it. `address`: of the API whose page it is; null for the
 * provider's own.
 */
type Walk = { from: number; to: number; page: string | null; address: string | null };
type Payload = { endpoint: string; createdAt: number };

/** Adds a job for each endpoint that is due. Any number of processes may call it: one of them takes the turn. */
export async function scheduleReconciliations(deps: ReconcileDeps): Promise<void> {
  const { db } = deps;
  const now = deps.now();
  for (const { endpoint, provider, createdAt } of await listDueReconciliations(db, now)) {
    if (!reconcilerOf(provider)) continue;
    const payload: Payload = { endpoint, createdAt };
    const job = jobInsert(db, {
      id: mintTimeOrderedId(deps),
      queue: RECONCILE_QUEUE,
      orderKey: endpoint,
      payload,
      createdAt: now,
    });
    await db.guarded(takeReconciliation(db, { endpoint, now, nextRunAt: now + EVERY_SECONDS }), [job]);
  }
}

/** The queue that compares one endpoint at a time. */
export function reconcileQueue(deps: ReconcileDeps): Queue {
  return {
    run: (job, context) => reconcile(job.payload as Payload, context, deps),
    concurrency: 2,
    timeoutSeconds: 600,
    maxAttempts: 3,
    backoff: exponential({ firstSeconds: 10, mostSeconds: 60 }),
  };
}

async function reconcile(
  { endpoint: slug, createdAt }: Payload,
  context: JobContext,
  deps: ReconcileDeps,
): Promise<void> {
  const endpoint = await deps.store.findEndpoint(slug);
  const reconciler = endpoint && reconcilerOf(endpoint.provider);
  const apiKey = endpoint?.apiKeys.at(-1)?.value;
  if (!endpoint?.enabled || !reconciler || apiKey === undefined) return;
  const save = async (change: Parameters<typeof saveReconciliation>[2]) => {
    const write = saveReconciliation(deps.db, slug, { ...change, lastRunAt: deps.now() });
    if (!(await deps.db.guarded(context.fence(), [write])))
      throw new LostJob("another process compares this endpoint now");
  };
  try {
    await walk(endpoint, reconciler, { apiKey, createdAt, signal: context.signal, save }, deps);
  } catch (error) {
    context.signal.throwIfAborted();
    if (error instanceof LostJob) throw error;
    await save({ lastError: (error instanceof Error ? error.message : String(error)).slice(0, LONGEST_ERROR) });
  }
}

type Turn = {
  apiKey: string;
  createdAt: number;
  signal: AbortSignal;
  save(change: Parameters<typeof saveReconciliation>[2]): Promise<void>;
};

async function walk(
  endpoint: EndpointSettings,
  reconciler: Reconciler,
  turn: Turn,
  deps: ReconcileDeps,
): Promise<void> {
  const { needs } = reconciler;
  if (needs !== undefined && settingOf(endpoint, needs) === undefined)
    throw new Error(`The endpoint needs the setting ${needs}.`);
  let at = await startOrResume(endpoint, reconciler, turn.createdAt, deps);
  for (let pages = 0; pages < MOST_PAGES; pages++) {
    const { apiKey, signal } = turn;
    const { settings } = endpoint;
    const { events, next } = await reconciler.listEvents({ ...at, apiKey, settings, signal, request: deps.request });
    const recovered = await recoverEvents(endpoint, events, deps);
    if (next === null) return turn.save({ recovered, cursor: null, completeUpTo: at.to, lastError: null });
    at = { ...at, page: next };
    await turn.save({ recovered, cursor: JSON.stringify(at), lastError: null });
  }
}

/** The period since the last comparison. Never before the endpoint existed: older events were not meant for it. */
async function startOrResume(
  endpoint: EndpointSettings,
  { keepSeconds }: Reconciler,
  createdAt: number,
  { db, now }: ReconcileDeps,
): Promise<Walk> {
  const address = settingOf(endpoint, "apiBaseUrl") ?? null;
  const row = await findReconciliation(db, endpoint.slug);
  const paused = row?.cursor ? (JSON.parse(row.cursor) as Walk) : undefined;
  // A page that one API named is nothing to ask another one for, and may be of somebody who let the endpoint point to a
  // server of their own.
  if (paused?.address === address) return paused;
  const to = now() - GRACE_SECONDS;
  const since = row?.completeUpTo == null ? createdAt : row.completeUpTo - OVERLAP_SECONDS;
  return { from: Math.max(since, createdAt, now() - keepSeconds), to, page: null, address };
}
