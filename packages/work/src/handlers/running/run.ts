import type { Db, WriteQuery } from "@gatehouse/db/query/db";
import { type JobLease, leaseFence } from "@gatehouse/db/stores/jobs/job-outcomes";
import { hasEffect, insertEffect } from "@gatehouse/db/stores/webhooks/handler-runs";
import type { AttemptOutcome } from "@gatehouse/webhooks";
import type { HandlerContext, Log, SendRequest, Trigger } from "../context.ts";
import type { DefinedHandler } from "../define.ts";
import type { StoredEvent } from "./event.ts";

export type RunDeps = { db: Db; now: () => number; request: SendRequest; log: Log };

/** What one run works under: why it runs, for which time, and the job that it belongs to. */
export type RunOf = { trigger: Trigger; attempt: number; signal: AbortSignal; lease: JobLease };

/**
 * Runs a handler, in this process or another. Resolves and rejects as {@link runHandler} does, or rejects with
 * JobPostponed.
 */
export type RunHandler = (handler: DefinedHandler, event: StoredEvent, run: RunOf) => Promise<RunResult>;

/** How a run ended. `error` and `stack` are bounded. */
export type RunResult = {
  outcome: AttemptOutcome;
  ms: number;
  error: string | null;
  stack: string | null;
  /** Of forwarding: the status of the response. */
  status?: number;
};

/** Another process has taken over the job, so this one must stop writing. */
export class LostJob extends Error {
  override readonly name = "LostJob";
}

const LONGEST_ERROR = 1000;
const LONGEST_STACK = 8 * 1024;

class TimedOut extends Error {}

/**
 * Runs a handler for an event, at most for its time limit. Resolves however it ends. Rejects only when the job's own
 * signal is aborted: the process stops, or lost the job.
 */
export async function runHandler(
  handler: DefinedHandler,
  event: StoredEvent,
  run: RunOf,
  deps: RunDeps,
): Promise<RunResult> {
  const time = new AbortController();
  const timer = setTimeout(
    () => time.abort(new TimedOut(`not done after ${handler.timeoutSeconds} s`)),
    handler.timeoutSeconds * 1000,
  );
  const signal = AbortSignal.any([run.signal, time.signal]);
  const startedAt = performance.now();
  const ended = (outcome: AttemptOutcome, thrown?: unknown): RunResult => ({
    outcome,
    ms: Math.round(performance.now() - startedAt),
    ...(thrown === undefined ? { error: null, stack: null } : describeThrown(thrown)),
  });
  try {
    // A handler that ignores its signal is not waited for.
    await Promise.race([
      handler.run(event.payload, contextOf(handler, event, { ...run, signal }, deps)),
      rejectOnAbort(signal),
    ]);
    return ended("ok");
  } catch (thrown) {
    run.signal.throwIfAborted();
    return time.signal.aborted ? ended("timeout", time.signal.reason) : ended("error", thrown);
  } finally {
    clearTimeout(timer);
  }
}

function contextOf(handler: DefinedHandler, event: StoredEvent, run: RunOf, deps: RunDeps): HandlerContext {
  const { endpoint, key, facts } = event;
  const { db, now, request, log } = deps;
  const { trigger, attempt, signal, lease } = run;
  const fence = () => leaseFence(db, lease);
  const once = createOnce({ endpoint: endpoint.slug, eventKey: key, handler: handler.name }, { db, now, fence });
  return {
    event: { ...facts, trigger, attempt },
    signal,
    now,
    settings: endpoint.settings,
    apiKey: async () => endpoint.apiKeys.at(-1)?.value,
    request: (url, options) => request(url, { signal, ...options }),
    db,
    async once(name, writes) {
      signal.throwIfAborted();
      return once(name, writes);
    },
    log: withFacts(log, {
      provider: facts.provider,
      endpoint: facts.endpoint,
      event: facts.id,
      delivery: facts.deliveryId,
    }),
  };
}

/** The event and handler that effects are marked for. */
type EffectOwner = { endpoint: string; eventKey: Uint8Array; handler: string };

/**
 * Makes {@link HandlerContext.once}. Mark, effect and the fence on the job's lease are one transaction: of several
 * processes that run the same handler for the same event, at most one commits, and a crash leaves all or nothing.
 */
function createOnce(owner: EffectOwner, deps: { db: Db; now: () => number; fence: () => WriteQuery }) {
  const { db, now, fence } = deps;
  return async (name: string, writes: readonly WriteQuery[]): Promise<boolean> => {
    const mark = { ...owner, name };
    if (await hasEffect(db, mark)) return false;
    const held = await db
      .guarded(fence(), [insertEffect(db, { ...mark, createdAt: now() }), ...writes])
      .catch(async (error) => {
        // A mark that appeared meanwhile: another run of this handler was faster.
        if (await hasEffect(db, mark)) return undefined;
        throw error;
      });
    if (held === false) throw new LostJob("another process runs this handler now");
    return held === true;
  };
}

function withFacts(log: Log, facts: object): Log {
  return {
    info: (fields, message) => log.info({ ...facts, ...fields }, message),
    warn: (fields, message) => log.warn({ ...facts, ...fields }, message),
    error: (fields, message) => log.error({ ...facts, ...fields }, message),
  };
}

/** Rejects with the reason once the signal is aborted. */
export function rejectOnAbort(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    if (signal.aborted) reject(signal.reason);
    signal.addEventListener("abort", () => reject(signal.reason), { once: true });
  });
}

/** What is stored of something thrown. */
export function describeThrown(thrown: unknown): { error: string; stack: string | null } {
  const text =
    thrown instanceof Error
      ? `${thrown.name === "Error" ? "" : `${thrown.name}: `}${thrown.message}` || thrown.name
      : String(thrown);
  const stack = thrown instanceof Error && thrown.stack !== undefined ? thrown.stack.slice(0, LONGEST_STACK) : null;
  return { error: text.slice(0, LONGEST_ERROR), stack };
}
