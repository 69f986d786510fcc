import { type Job, listEventAttempts, setEventState } from "@gatehouse/db";
import { type Backoff, type JobContext, JobFailure, type Queue } from "@gatehouse/jobs";
import type { DefinedHandler } from "../define.ts";
import { loadEvents, NotRunnable, type StoredEvent } from "./event.ts";
import { type HandleDeps, handleEvent } from "./handle.ts";
import { queueOf, WEBHOOK_QUEUE } from "./jobs-of-event.ts";
import type { RunResult } from "./run.ts";

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
/** The longest timeout of a handler, and what a job takes beside it. */
const TIMEOUT_SECONDS = 300 + 30;

export type QueueDeps = HandleDeps & {
  /** Counts how a handler ended by itself; runs that a person asked for do not count. */
  count: (stat: { environment: string; metric: "webhook_handler"; key: string }) => void;
};

/** The queues that run handlers: one for all, and one for each handler with a concurrency of its own. */
export function webhookQueues(deps: QueueDeps): Record<string, Queue> {
  const queue = (concurrency: number): Queue => ({
    run: (job, context) => runJob(job, context, deps),
    concurrency,
    timeoutSeconds: TIMEOUT_SECONDS,
    maxAttempts: Number.POSITIVE_INFINITY, // each handler has its own number: see runJob
    backoff: BACKOFF,
  });
  const limited = deps.handlers
    .all()
    .flatMap(({ provider, handler }) => (handler.concurrency === null ? [] : [[queueOf(provider, handler), queue(handler.concurrency)]]));
  return { [WEBHOOK_QUEUE]: queue(CONCURRENCY), ...Object.fromEntries(limited) };
}

async function runJob(job: Job, context: JobContext, deps: QueueDeps): Promise<void> {
  const payload = job.payload as HandlerJobPayload;
  const event = await loadEvent(payload, deps);
  const handler = deps.handlers.find(event.facts.provider, payload.handler);
  if (!handler) return forget(event, deps);
  // The process may have died between the record of a success and the end of the job, or a person ran it meanwhile.
  if (job.attempts > 1 && (await hasSucceeded(handler, event, deps))) return;

  const givesUp = job.attempts >= handler.maxAttempts;
  const { deliveryId } = event.facts;
  const trigger = job.attempts === 1 ? "initial" : "automatic";
  const result = await handleEvent(handler, event, { ...context, trigger, attempt: job.attempts, deliveryId, actor: null, givesUp }, deps);
  const { slug, environment } = event.endpoint;
  const ended = result.outcome === "ok" ? "ok" : givesUp ? "dead" : "failed";
  deps.count({ environment, metric: "webhook_handler", key: `${slug}/${ended}` });
  if (result.outcome !== "ok") throw failureOf(handler, result, givesUp);
}

async function loadEvent({ endpoint, deliveryId, eventKey }: HandlerJobPayload, deps: QueueDeps): Promise<StoredEvent> {
  const key = Buffer.from(eventKey, "base64url");
  try {
    const event = (await loadEvents(deliveryId, deps)).find((one) => key.equals(one.key));
    if (!event) throw new NotRunnable("The delivery no longer contains this event.");
    return event;
  } catch (error) {
    if (!(error instanceof NotRunnable)) throw error;
    await deps.handle.transaction([setEventState(deps.handle, { endpoint, eventKey: key }, "dead")]);
    throw new JobFailure(error.message, { retryInSeconds: null });
  }
}

/** The product no longer has this handler: the event waits for the next one. */
async function forget(event: StoredEvent, { handle, handlers }: QueueDeps): Promise<void> {
  if (handlers.of(event.facts.provider, event.facts.type).length > 0) return;
  await handle.transaction([setEventState(handle, { endpoint: event.endpoint.slug, eventKey: event.key }, "stored", ["handled"])]);
}

async function hasSucceeded({ name }: DefinedHandler, { endpoint, key, facts }: StoredEvent, { handle }: QueueDeps): Promise<boolean> {
  const attempts = await listEventAttempts(handle, { endpoint: endpoint.slug, eventKey: key, deliveryId: facts.deliveryId });
  return attempts.some(({ handler, outcome }) => handler === name && outcome === "ok");
}

function failureOf({ name }: DefinedHandler, { outcome, error }: RunResult, givesUp: boolean): Error {
  const message = `${name}: ${error ?? outcome}`;
  return givesUp ? new JobFailure(message, { retryInSeconds: null }) : new Error(message);
}
