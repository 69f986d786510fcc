import { mintTimeOrderedId, type Random } from "@gatehouse/auth";
import type { WriteQuery } from "@gatehouse/db/query/db";
import { type Job, leaseFence } from "@gatehouse/db/stores/jobs/job-outcomes";
import {
  type EventOfDelivery,
  hasHandlerSucceeded,
  insertAttempt,
  lockEvent,
  setEventState,
  setHandledIfComplete,
  setStateUnlessSucceeded,
} from "@gatehouse/db/stores/webhooks/handler-runs";
import type { Backoff } from "../../jobs/backoff.ts";
import { type JobContext, JobFailure, PROCESS_ENDED, type Queue } from "../../jobs/queue.ts";
import { FORWARD_QUEUES } from "../forwarding/queues.ts";
import { type LoadDeps, loadEvents, NotRunnable, type StoredEvent } from "./event.ts";
import { type EventHandler, type EventHandlerDeps, findHandlerOfEvent, handlersOfEvent } from "./handlers-of-event.ts";
import { queueOf, WEBHOOK_QUEUE } from "./jobs-of-event.ts";
import { LostJob, type RunOf, type RunResult } from "./run.ts";

export type HandleDeps = LoadDeps & EventHandlerDeps & { random: Random };

/** The payload of a job: one handler for one event. */
type HandlerJobPayload = { endpoint: string; deliveryId: string; eventKey: string; handler: string };

/** How many handlers without a concurrency of their own run at once in a process. */
const CONCURRENCY = 10;
/** Seconds to wait after each failed attempt: about half a day in all until the eighth. The last one repeats. */
const WAITS = [10, 60, 300, 1800, 3600, 3 * 3600, 6 * 3600] as const;
/** Half of each wait is random, so that events which failed together do not retry together. */
const BACKOFF: Backoff = (attempts, random) => {
  const wait = WAITS[Math.min(attempts, WAITS.length) - 1] ?? WAITS[0];
  return Math.ceil(wait / 2 + (wait / 2) * random);
};
/** The longest timeout of a handler, and what a job takes beside it: the start and the end of a process. */
const TIMEOUT_SECONDS = 300 + 90;

export type QueueDeps = HandleDeps & {
  /** Counts how a handler ended by itself; runs that a person asked for do not count. */
  count: (stat: { environment: string; metric: "webhook_handler"; key: string }) => void;
};

/**
 * The queues that run handlers: one for all, and one for each handler with a concurrency of its own. And those that
 * forward events, with the same retries.
 */
export function webhookQueues(deps: QueueDeps): Record<string, Queue> {
  const queue = (concurrency: number): Queue => ({
    run: (job, context) => runJob(job, context, deps),
    concurrency,
    timeoutSeconds: TIMEOUT_SECONDS,
    maxAttempts: Number.POSITIVE_INFINITY, // each handler has its own number: see runJob
    backoff: BACKOFF,
    whenBuried: ({ payload }) => [givenUp(payload as HandlerJobPayload, deps)],
  });
  const limited = deps.handlers
    .all()
    .flatMap(({ provider, handler }) =>
      handler.concurrency === null ? [] : [[queueOf(provider, handler), queue(handler.concurrency)]],
    );
  const forwarding = FORWARD_QUEUES.map((name) => [name, queue(CONCURRENCY)]);
  return { [WEBHOOK_QUEUE]: queue(CONCURRENCY), ...Object.fromEntries([...limited, ...forwarding]) };
}

async function runJob(job: Job, { signal }: JobContext, deps: QueueDeps): Promise<void> {
  const payload = job.payload as HandlerJobPayload;
  const event = await loadEvent(payload, deps);
  const handler = findHandlerOfEvent(event, payload.handler, deps);
  if (!handler) return forget(job, event, deps);
  // The process may have died between the record of a success and the end of the job, or a person ran it meanwhile.
  if (job.attempts > 1 && (await hasHandlerSucceeded(deps.db, refOf(event), handler.name)))
    return settle(job, event, deps);

  const givesUp = job.attempts >= handler.maxAttempts;
  const trigger = job.attempts === 1 ? ("initial" as const) : ("automatic" as const);
  const { deliveryId } = event.facts;
  const handling = { trigger, attempt: job.attempts, signal, lease: job, deliveryId, actor: null, givesUp };
  const result =
    job.attempts > handler.maxAttempts
      ? await recordLoss(handler, event, handling, deps)
      : await handleEvent(handler, event, handling, deps);
  const { slug, environment } = event.endpoint;
  const ended = result.outcome === "ok" ? "ok" : givesUp ? "dead" : "failed";
  deps.count({ environment, metric: "webhook_handler", key: `${slug}/${ended}` });
  if (result.outcome !== "ok") throw failureOf(handler, result, givesUp);
}

/** Every run that was allowed has begun, and of the last one nobody could record how it ended. OP-23. */
async function recordLoss(
  handler: EventHandler,
  event: StoredEvent,
  handling: Handling,
  deps: QueueDeps,
): Promise<RunResult> {
  const result = { outcome: "error", ms: 0, error: PROCESS_ENDED, stack: null } as const;
  await recordAttempt(handler, event, { ...handling, startedAt: deps.now(), result }, deps);
  return result;
}

async function loadEvent({ deliveryId, eventKey }: HandlerJobPayload, deps: QueueDeps): Promise<StoredEvent> {
  const key = Buffer.from(eventKey, "base64url");
  try {
    const event = (await loadEvents(deliveryId, deps)).find((one) => key.equals(one.key));
    if (!event) throw new NotRunnable("The delivery no longer contains this event.");
    return event;
  } catch (error) {
    if (!(error instanceof NotRunnable)) throw error;
    throw new JobFailure(error.message, { retryInSeconds: null });
  }
}

/** No run follows, so the event does not wait for one. */
function givenUp({ endpoint, eventKey }: HandlerJobPayload, { db }: QueueDeps): WriteQuery {
  return setEventState(db, { endpoint, eventKey: Buffer.from(eventKey, "base64url") }, "dead", ["handled"]);
}

/** The handler is gone: the event is complete without it, or waits for the next one. */
async function forget(job: Job, event: StoredEvent, deps: QueueDeps): Promise<void> {
  const { db } = deps;
  if (handlersOfEvent(event, deps).length > 0) return settle(job, event, deps);
  await db.guarded(leaseFence(db, job), [setEventState(db, refOf(event), "stored", ["handled"])]);
}

/** This job has nothing left to run, and may be the last one that the event waits for. */
async function settle(job: Job, event: StoredEvent, deps: QueueDeps): Promise<void> {
  const { db } = deps;
  const ref = refOf(event);
  if (!(await db.guarded(leaseFence(db, job), [lockEvent(db, ref), whenComplete(event, ref, deps)])))
    throw new LostJob("another process runs this handler now");
}

function refOf({ endpoint, key, facts }: StoredEvent): EventOfDelivery {
  return { endpoint: endpoint.slug, eventKey: key, deliveryId: facts.deliveryId };
}

function failureOf({ name }: EventHandler, { outcome, error }: RunResult, givesUp: boolean): Error {
  const message = `${name}: ${error ?? outcome}`;
  return givesUp ? new JobFailure(message, { retryInSeconds: null }) : new Error(message);
}

/**
 * A run with the person who asked for it, and whether the event is given up if it fails: null leaves its state as it
 * is.
 */
type Handling = RunOf & { deliveryId: string; actor: string | null; givesUp: boolean | null };

/**
 * Runs a handler for an event, and records the attempt and the event's new state in one transaction. Throws
 * {@link LostJob} if another process has taken over, and what the handler's `run` throws.
 */
export async function handleEvent(
  handler: EventHandler,
  event: StoredEvent,
  handling: Handling,
  deps: HandleDeps,
): Promise<RunResult> {
  const startedAt = deps.now();
  const result = await handler.run(handling);
  await recordAttempt(handler, event, { ...handling, startedAt, result }, deps);
  return result;
}

type Ended = Pick<Handling, "deliveryId" | "trigger" | "actor" | "givesUp" | "lease"> & {
  startedAt: number;
  result: RunResult;
};

/**
 * Records how a run ended. The new state is decided inside the transaction: runs of the event's handlers can end at the
 * same time.
 */
async function recordAttempt(handler: EventHandler, event: StoredEvent, ended: Ended, deps: HandleDeps): Promise<void> {
  const { db, random } = deps;
  const { deliveryId, trigger, actor, lease, startedAt, result } = ended;
  const ref = { endpoint: event.endpoint.slug, eventKey: event.key, deliveryId };
  const id = mintTimeOrderedId({ now: deps.now, random });
  const about = { id, ...ref, handler: handler.name, trigger, startedAt, actor };
  const attempt = insertAttempt(db, { ...about, ...result, status: result.status ?? null });
  const state = result.outcome === "ok" ? whenComplete(event, ref, deps) : stateAfterFailure(ref, handler, ended, deps);
  if (!(await db.guarded(leaseFence(db, lease), [lockEvent(db, ref), attempt, state])))
    throw new LostJob("another process runs this handler now");
}

/** An event is handled once each of its handlers has succeeded. */
function whenComplete(event: StoredEvent, ref: EventOfDelivery, deps: HandleDeps): WriteQuery {
  const names = handlersOfEvent(event, deps).map(({ name }) => name);
  return setHandledIfComplete(deps.db, ref, names);
}

function stateAfterFailure(
  ref: EventOfDelivery,
  { name }: EventHandler,
  { givesUp }: Ended,
  { db }: HandleDeps,
): WriteQuery {
  if (givesUp === null) return setEventState(db, ref, "dead", ["pending", "failed", "handled"]);
  const failed = { ...ref, handler: name };
  return givesUp
    ? setStateUnlessSucceeded(db, failed, "dead")
    : setStateUnlessSucceeded(db, failed, "failed", ["dead"]);
}
