// What happens when a webhook event arrives: handlers, the queues that run them, and asking providers for events that
// never came.

export type {
  EventFacts,
  HandlerContext,
  Log,
  RequestAnswer,
  RequestOptions,
  SendRequest,
  Trigger,
} from "./context.ts";
export { defineHandlers, type Handler, type HandlerMap, type HandlerSettings, type Handlers } from "./define.ts";
export type { KnownEvents } from "./events.ts";
export { type AnswerDeps, answerRuns } from "./process/answer-runs.ts";
export type { SpawnHandlers } from "./process/host.ts";
export { createProcessRunner, type ProcessRunner } from "./process/runner.ts";
export { RECONCILE_QUEUE, type ReconcileDeps, reconcileQueue, scheduleReconciliations } from "./reconcile/queue.ts";
export { createSendRequest } from "./request.ts";
export { type RerunDeps, rerunQueue } from "./rerun/queue.ts";
export { type QueueDeps, webhookQueues } from "./running/handle.ts";
export { jobsOfEvent, wakingAfterDelivery } from "./running/jobs-of-event.ts";
export { type RunDeps, type RunHandler, runHandler } from "./running/run.ts";
