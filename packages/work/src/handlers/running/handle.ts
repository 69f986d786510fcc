import { mintTimeOrderedId, type Random } from "@gatehouse/auth";
import type { WriteQuery } from "@gatehouse/db/query/db";
import { leaseFence } from "@gatehouse/db/stores/jobs/job-outcomes";
import {
  type EventOfDelivery,
  insertAttempt,
  lockEvent,
  setEventState,
  setHandledIfComplete,
  setStateUnlessSucceeded,
} from "@gatehouse/db/stores/webhooks/runs";
import type { DefinedHandler, Handlers } from "../define.ts";
import type { LoadDeps, StoredEvent } from "./event.ts";
import { LostJob, type RunHandler, type RunOf, type RunResult } from "./run.ts";

export type HandleDeps = LoadDeps & {
  handlers: Handlers;
  runHandler: RunHandler;
  /** Unix seconds. */
  now: () => number;
  random: Random;
};

/** A run with the person who asked for it, and whether the event is given up if it fails: null leaves its state as it is. */
export type Handling = RunOf & { deliveryId: string; actor: string | null; givesUp: boolean | null };

/**
 * Runs a handler for an event, and records the attempt and the event's new state in one transaction. Throws {@link LostJob} if another
 * process has taken over, and what `runHandler` throws.
 */
export async function handleEvent(handler: DefinedHandler, event: StoredEvent, handling: Handling, deps: HandleDeps): Promise<RunResult> {
  const startedAt = deps.now();
  const result = await deps.runHandler(handler, event, handling);
  await recordAttempt(handler, event, { ...handling, startedAt, result }, deps);
  return result;
}

export type Ended = Pick<Handling, "deliveryId" | "trigger" | "actor" | "givesUp" | "lease"> & { startedAt: number; result: RunResult };

/** Records how a run ended. The new state is decided inside the transaction: runs of the event's handlers can end at the same time. */
export async function recordAttempt(handler: DefinedHandler, event: StoredEvent, ended: Ended, deps: HandleDeps): Promise<void> {
  const { db, random } = deps;
  const { deliveryId, trigger, actor, lease, startedAt, result } = ended;
  const ref = { endpoint: event.endpoint.slug, eventKey: event.key, deliveryId };
  const id = mintTimeOrderedId({ now: deps.now, random });
  const attempt = insertAttempt(db, { id, ...ref, handler: handler.name, trigger, startedAt, ...result, actor });
  const state = result.outcome === "ok" ? whenComplete(event, ref, deps) : stateAfterFailure(ref, handler, ended, deps);
  if (!(await db.guarded(leaseFence(db, lease), [lockEvent(db, ref), attempt, state])))
    throw new LostJob("another process runs this handler now");
}

/** An event is handled once each of its handlers has succeeded. */
export function whenComplete({ facts }: StoredEvent, ref: EventOfDelivery, { db, handlers }: HandleDeps): WriteQuery {
  const names = handlers.of(facts.provider, facts.type).map(({ name }) => name);
  return setHandledIfComplete(db, ref, names);
}

function stateAfterFailure(ref: EventOfDelivery, { name }: DefinedHandler, { givesUp }: Ended, { db }: HandleDeps): WriteQuery {
  if (givesUp === null) return setEventState(db, ref, "dead", ["pending", "failed", "handled"]);
  const failed = { ...ref, handler: name };
  return givesUp ? setStateUnlessSucceeded(db, failed, "dead") : setStateUnlessSucceeded(db, failed, "failed", ["dead"]);
}
