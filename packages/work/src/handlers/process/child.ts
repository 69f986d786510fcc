import type { ChildProcess } from "node:child_process";
import type { Log } from "../context.ts";
import type { Ending, FromHandlers, RunOrder, ToHandlers } from "./messages.ts";

/** The process ended before it told how a run ended. */
export class Interrupted extends Error {
  override readonly name = "Interrupted";
  /** Nothing else ran in it, so this run ended it. */
  readonly alone: boolean;
  /** The process has named another run as the reason. */
  readonly blamedOther: boolean;
  /** It was ended because it did not answer in time. */
  readonly blocked: boolean;

  constructor(
    how: string,
    { alone, blamedOther, blocked }: { alone: boolean; blamedOther: boolean; blocked: boolean },
  ) {
    super(how);
    this.alone = alone;
    this.blamedOther = blamedOther;
    this.blocked = blocked;
  }
}

export type RunLimits = { signal: AbortSignal; timeoutSeconds: number };

/** A started process of handlers. */
export type Child = {
  pid: number | undefined;
  /** Resolves when it takes runs, or to false when it ended before. */
  ready: Promise<boolean>;
  /** Resolves when it has ended, to the way it did. */
  gone: Promise<string>;
  readonly running: number;
  run(order: RunOrder, limits: RunLimits): Promise<Ending>;
  /** Asks it to end, and ends it if it does not. */
  end(): Promise<void>;
};

type Pending = { resolve: (ending: Ending) => void; reject: (cause: unknown) => void };

const READY_WITHIN_MS = 60_000;
const END_WITHIN_MS = 1_500;

export type ChildOptions = {
  log: Log;
  /** After a run's time limit, and after its signal was aborted: a process that has not answered by then is blocked. */
  answerWithinMs: number;
};

export function createChild(process: ChildProcess, { log, answerWithinMs }: ChildOptions): Child {
  const pending = new Map<number, Pending>();
  let isReady = false;
  let leaving = false;
  let blocked = false;
  let tellReady: (ready: boolean) => void = () => {};
  let tellGone: (how: string) => void = () => {};
  const ready = new Promise<boolean>((resolve) => {
    tellReady = resolve;
  });
  const gone = new Promise<string>((resolve) => {
    tellGone = resolve;
  });
  const kill = () => void process.kill("SIGKILL");
  const late = setTimeout(kill, READY_WITHIN_MS).unref();

  process.on("message", (message: FromHandlers | null) => {
    if (message === null) return; // handlers can send anything
    if (message.kind === "ready") {
      isReady = true;
      clearTimeout(late);
      tellReady(true);
    } else if (message.kind === "leaving") leaving = true;
    else if (message.kind === "ended") pending.get(message.id)?.resolve(message);
    else if (message.kind === "failed") pending.get(message.id)?.reject(new Error(message.message));
  });
  process.on("error", (error) => ended(error.message));
  process.once("exit", (code, signal) => ended(signal === null ? `exit code ${code}` : nameOf(signal)));
  process.once("disconnect", () => setTimeout(kill, END_WITHIN_MS).unref()); // no message reaches it any more

  function ended(how: string): void {
    clearTimeout(late);
    tellReady(false);
    tellGone(how);
    const facts = { alone: pending.size === 1 && !leaving, blamedOther: leaving, blocked };
    for (const { reject } of pending.values()) reject(new Interrupted(how, facts));
  }

  function tell(message: ToHandlers): void {
    if (process.connected)
      process.send(
        message,
        (error) => error && log.warn({ err: error }, "the process of the webhook handlers cannot be told"),
      );
  }

  function endBlocked(): void {
    blocked = true;
    kill();
  }

  return {
    pid: process.pid,
    ready,
    gone,
    get running() {
      return pending.size;
    },
    async run(order, { signal, timeoutSeconds }) {
      const overdue = setTimeout(endBlocked, timeoutSeconds * 1000 + answerWithinMs);
      let unheard: NodeJS.Timeout | undefined;
      const abort = () => {
        tell({ kind: "abort", id: order.id });
        unheard = setTimeout(endBlocked, answerWithinMs);
      };
      signal.addEventListener("abort", abort, { once: true });
      try {
        if (!process.connected) throw new Interrupted("it had ended", { alone: false, blamedOther: true, blocked });
        return await new Promise<Ending>((resolve, reject) => {
          pending.set(order.id, { resolve, reject });
          tell({ kind: "run", order });
        });
      } catch (error) {
        signal.throwIfAborted();
        throw error;
      } finally {
        pending.delete(order.id);
        clearTimeout(overdue);
        clearTimeout(unheard);
        signal.removeEventListener("abort", abort);
      }
    },
    async end() {
      if (process.connected) process.disconnect();
      const forced = setTimeout(kill, isReady ? END_WITHIN_MS : 0);
      await gone;
      clearTimeout(forced);
    },
  };
}

/** V8 aborts when its heap is full, and so does the watchdog above the limit. */
function nameOf(signal: string): string {
  return `signal ${signal}${signal === "SIGABRT" ? ", as when memory runs out" : ""}`;
}
