import { AsyncLocalStorage } from "node:async_hooks";
import { setImmediate as turn } from "node:timers/promises";
import type { DefinedHandler, Handlers } from "../define.ts";
import { type LoadDeps, loadEvents } from "../running/event.ts";
import { describeThrown, type RunDeps, type RunResult, runHandler } from "../running/run.ts";
import type { FromHandlers, RunOrder, ToHandlers } from "./messages.ts";
import { guardProcess } from "./watchdog.ts";

export type AnswerDeps = LoadDeps & RunDeps & { handlers: Handlers };

/** A run in progress. */
type Running = {
  order: RunOrder;
  startedAt: number;
  controller: AbortController;
  /** Rejects when something of this run failed where nobody waits for it. */
  stray: Promise<never>;
  fail(cause: unknown): void;
};

const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/**
 * Makes this process run handlers for the one that started it, and ends with it. `close` is called before the end.
 * Signals are left to the server: it asks this process to end once its runs are done.
 */
export function answerRuns(
  deps: AnswerDeps,
  { memoryMb, close }: { memoryMb: number; close: () => Promise<void> },
): void {
  const running = new Map<number, Running>();
  const current = new AsyncLocalStorage<Running>();

  async function begin(order: RunOrder): Promise<void> {
    const one = startRun(order);
    running.set(order.id, one);
    try {
      const result = await current.run(one, () => run(one, deps));
      if (running.has(order.id)) send({ kind: "ended", id: order.id, result, isFatal: false });
    } catch (error) {
      send({ kind: "failed", id: order.id, message: error instanceof Error ? error.message : String(error) });
    } finally {
      running.delete(order.id);
    }
  }

  /** What a handler leaves behind fails its run, if that has not ended. */
  function blame(thrown: unknown, message: string): Running | undefined {
    const one = current.getStore();
    const { provider, handler, deliveryId: delivery } = one?.order ?? {};
    deps.log.error({ err: thrown, provider, handler, delivery }, message);
    return one && running.has(one.order.id) ? one : undefined;
  }

  function leaveBecauseOf(one: Running | undefined, thrown: unknown, exit: () => void): void {
    if (one) {
      running.delete(one.order.id);
      send({ kind: "ended", id: one.order.id, result: failureOf(one, thrown), isFatal: true });
    }
    send({ kind: "leaving" }, exit);
  }

  for (const signal of SIGNALS) process.on(signal, () => {});
  process.on("message", (message: ToHandlers) => {
    if (message.kind === "run") void begin(message.order);
    else running.get(message.id)?.controller.abort(new Error("the server stops, or has lost the job"));
  });
  process.once("disconnect", () => void close().finally(() => process.exit(0)));
  process.on("unhandledRejection", (thrown) =>
    blame(thrown, "a webhook handler did not wait for a promise, which rejected")?.fail(thrown),
  );
  process.on("uncaughtException", (thrown) => {
    const one = blame(thrown, "a webhook handler threw where nothing catches it; its process ends");
    leaveBecauseOf(one, thrown, () => process.exit(1));
  });
  process.once("exit", (code) => {
    const one = current.getStore();
    if (one && running.has(one.order.id))
      leaveBecauseOf(one, new Error(`the handler called process.exit(${code})`), () => {});
  });
  if (!process.connected) process.exit(0); // the server has ended meanwhile
  guardProcess(memoryMb);
  send({ kind: "ready" });
}

function startRun(order: RunOrder): Running {
  let fail: (cause: unknown) => void = () => {};
  const stray = new Promise<never>((_, reject) => {
    fail = reject;
  });
  stray.catch(() => {}); // it may reject after the run
  return { order, startedAt: performance.now(), controller: new AbortController(), stray, fail };
}

async function run({ order, controller, stray }: Running, deps: AnswerDeps): Promise<RunResult> {
  const { provider, deliveryId, eventKey, trigger, attempt, lease } = order;
  const key = Buffer.from(eventKey, "base64url");
  const event = (await loadEvents(deliveryId, deps)).find((one) => key.equals(one.key));
  const handler = deps.handlers.find(provider, order.handler);
  if (!event || !handler) throw new Error("the event or its handler is not there any more");
  const waiting: DefinedHandler["run"] = async (payload, context) => {
    await Promise.race([handler.run(payload, context), stray]);
    await Promise.race([turn(), stray]); // unhandled rejections are told after the microtasks
  };
  return runHandler({ ...handler, run: waiting }, event, { trigger, attempt, lease, signal: controller.signal }, deps);
}

function failureOf({ startedAt }: Running, thrown: unknown): RunResult {
  return { outcome: "error", ms: Math.round(performance.now() - startedAt), ...describeThrown(thrown) };
}

function send(message: FromHandlers, done: () => void = () => {}): void {
  if (process.connected) process.send?.(message, done);
  else done();
}
