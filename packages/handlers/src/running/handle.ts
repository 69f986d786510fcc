import { mintTimeOrderedId, type Random } from "@gatehouse/auth";
import { type EventRef, type Handle, insertAttempt, listEventAttempts, setEventState, type WriteQuery } from "@gatehouse/db";
import type { WebhookStore } from "@gatehouse/webhooks";
import type { DefinedHandler, Handlers } from "../define.ts";
import type { StoredEvent } from "./event.ts";
import { LostJob } from "./once.ts";
import { type RunDeps, type RunOf, type RunResult, runHandler } from "./run.ts";

export type HandleDeps = RunDeps & {
  store: Pick<WebhookStore, "findEndpoint">;
  handlers: Handlers;
  random: Random;
  baseUrl: string;
};

/** A run with the person who asked for it, and whether the event is given up if it fails: null leaves its state as it is. */
export type Handling = RunOf & { deliveryId: string; actor: string | null; givesUp: boolean | null };

/**
 * Runs a handler for an event, and records the attempt and the event's new state in one transaction. Throws {@link LostJob} if another
 * process has taken over, and what `runHandler` throws.
 */
export async function handleEvent(handler: DefinedHandler, event: StoredEvent, handling: Handling, deps: HandleDeps): Promise<RunResult> {
  const { handle, now, random } = deps;
  const ref = { endpoint: event.endpoint.slug, eventKey: event.key };
  const startedAt = now();
  const result = await runHandler(handler, event, handling, deps);
  const attempt = insertAttempt(handle, {
    id: mintTimeOrderedId({ now, random }),
    ...ref,
    deliveryId: handling.deliveryId,
    handler: handler.name,
    trigger: handling.trigger,
    startedAt,
    ...result,
    actor: handling.actor,
  });
  const state =
    result.outcome === "ok" ? await stateAfterSuccess(handler, event, handling, deps) : stateAfterFailure(ref, handling, handle);
  if (!(await handle.guarded(handling.fence(), [attempt, ...state]))) throw new LostJob("another process runs this handler now");
  return result;
}

/** The event is handled once each of its handlers has succeeded. */
async function stateAfterSuccess(
  { name }: DefinedHandler,
  event: StoredEvent,
  { deliveryId }: Handling,
  { handle, handlers }: HandleDeps,
): Promise<WriteQuery[]> {
  const ref = { endpoint: event.endpoint.slug, eventKey: event.key };
  const others = handlers.of(event.facts.provider, event.facts.type).filter((one) => one.name !== name);
  if (others.length > 0) {
    const attempts = await listEventAttempts(handle, { ...ref, deliveryId });
    const succeeded = new Set(attempts.filter(({ outcome }) => outcome === "ok").map(({ handler }) => handler));
    if (others.some((other) => !succeeded.has(other.name))) return [];
  }
  return [setEventState(handle, ref, "handled")];
}

function stateAfterFailure(ref: EventRef, { givesUp }: Handling, handle: Handle): WriteQuery[] {
  if (givesUp === null) return [setEventState(handle, ref, "dead", ["pending", "failed", "handled"])];
  return [givesUp ? setEventState(handle, ref, "dead") : setEventState(handle, ref, "failed", ["dead"])];
}
