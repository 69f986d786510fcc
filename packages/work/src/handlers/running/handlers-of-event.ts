import { FORWARDING, forwards } from "@gatehouse/webhooks";
import type { DefinedHandler, Handlers } from "../define.ts";
import { type ForwardDeps, forwardEvent } from "../forwarding/forward-event.ts";
import type { StoredEvent } from "./event.ts";
import type { RunHandler, RunOf, RunResult } from "./run.ts";

/** What an event has to go through to be handled: a handler of the product, or forwarding. */
export type EventHandler = {
  /** In attempts and jobs. */
  name: string;
  maxAttempts: number;
  /** See {@link RunHandler}. */
  run(run: RunOf): Promise<RunResult>;
};

export type EventHandlerDeps = ForwardDeps & { handlers: Handlers; runHandler: RunHandler };

const FORWARD_ATTEMPTS = 8;

/** The handlers that the product defines for an event, and the forwarding of its endpoint. PK-56. */
export function handlersOfEvent(event: StoredEvent, deps: EventHandlerDeps): EventHandler[] {
  const { provider, type } = event.facts;
  const own = deps.handlers.of(provider, type).map((handler) => toEventHandler(handler, event, deps));
  const forwarding = forwardingOf(event, deps);
  return forwarding ? [...own, forwarding] : own;
}

/** One of an event's handlers; undefined if the product no longer has it, or its endpoint no longer forwards. */
export function findHandlerOfEvent(event: StoredEvent, name: string, deps: EventHandlerDeps): EventHandler | undefined {
  if (name === FORWARDING) return forwardingOf(event, deps);
  const handler = deps.handlers.find(event.facts.provider, name);
  return handler && toEventHandler(handler, event, deps);
}

function toEventHandler(handler: DefinedHandler, event: StoredEvent, { runHandler }: EventHandlerDeps): EventHandler {
  const { name, maxAttempts } = handler;
  return { name, maxAttempts, run: (run) => runHandler(handler, event, run) };
}

function forwardingOf(event: StoredEvent, deps: EventHandlerDeps): EventHandler | undefined {
  const { forward } = event.endpoint;
  if (!forward || !forwards(forward, event.facts.type)) return undefined;
  return { name: FORWARDING, maxAttempts: FORWARD_ATTEMPTS, run: (run) => forwardEvent(event, run, deps) };
}
