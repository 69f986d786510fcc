import type { ChildProcess } from "node:child_process";
import { setTimeout as pause } from "node:timers/promises";
import { rejectOnAbort } from "../running/run.ts";
import { type Child, type ChildOptions, createChild, type RunLimits } from "./child.ts";
import type { Ending, RunOrder } from "./messages.ts";

/** Starts a process that calls `answerRuns`, with an IPC channel. */
export type SpawnHandlers = () => ChildProcess;

/** The process of the handlers did not get ready. */
export class NotStarted extends Error {
  override readonly name = "NotStarted";
}

/** One process at a time: started with the first run, replaced when it has ended, ended when it has nothing to do. */
export type Host = {
  /**
   * Rejects with Interrupted if the process ended meanwhile, with {@link NotStarted}, and with the reason of an aborted
   * signal.
   */
  run(order: RunOrder, limits: RunLimits): Promise<Ending>;
  close(): Promise<void>;
};

/** A process that lived as long is replaced at once. Others wait, longer each time. */
const LONG_LIFE_MS = 30_000;
const [FIRST_WAIT_MS, MOST_WAIT_MS] = [100, 5_000];
const IDLE_MS = 5 * 60_000;

export function createHost(spawn: SpawnHandlers, options: ChildOptions): Host {
  const closing: Promise<void>[] = [];
  let child: Child | undefined;
  let startAt = 0;
  let shortLives = 0;
  let idle: NodeJS.Timeout | undefined;
  let closed = false;

  /** Undefined if the system has no room for another process. */
  function begin(): Child | undefined {
    const startedAt = performance.now();
    try {
      child = createChild(spawn(), options);
    } catch (error) {
      options.log.error({ err: error }, "the process of the webhook handlers cannot be started");
      return undefined;
    }
    const one = child;
    void one.gone.then((how) => {
      if (child !== one) return; // it was asked to end
      child = undefined;
      shortLives = performance.now() - startedAt < LONG_LIFE_MS ? shortLives + 1 : 0;
      startAt =
        performance.now() + (shortLives === 0 ? 0 : Math.min(MOST_WAIT_MS, FIRST_WAIT_MS * 2 ** (shortLives - 1)));
      options.log.error({ how, pid: one.pid }, "the process of the webhook handlers ended and is replaced");
    });
    return one;
  }

  async function current(signal: AbortSignal): Promise<Child> {
    while (!child && !closed && performance.now() < startAt)
      await pause(startAt - performance.now(), undefined, { signal });
    if (closed) throw new NotStarted("the server stops");
    const one = child ?? begin();
    if (one && (await Promise.race([one.ready, rejectOnAbort(signal)]))) return one;
    throw new NotStarted("the process of the webhook handlers does not start");
  }

  async function end(): Promise<void> {
    const one = child;
    child = undefined;
    if (one) closing.push(one.end());
    await Promise.all(closing);
    closing.length = 0;
  }

  return {
    async run(order, limits) {
      clearTimeout(idle);
      const one = await current(limits.signal);
      limits.signal.throwIfAborted();
      try {
        return await one.run(order, limits);
      } finally {
        clearTimeout(idle);
        idle = setTimeout(() => {
          if (child === one && one.running === 0) void end();
        }, IDLE_MS).unref();
      }
    },
    async close() {
      closed = true;
      clearTimeout(idle);
      await end();
    },
  };
}
