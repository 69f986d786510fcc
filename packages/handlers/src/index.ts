// What happens when a webhook event arrives: handlers, and the worker that runs them.

export type { EventFacts, HandlerContext, Log, RequestAnswer, RequestOptions, SendRequest, Trigger } from "./context.ts";
export { defineHandlers, type Handler, type HandlerMap, type HandlerSettings, type Handlers } from "./define.ts";
export type { KnownEvents } from "./events.ts";
