import { JobPostponed } from "../../jobs/queue.ts";
import type { DefinedHandler } from "../define.ts";
import type { StoredEvent } from "../running/event.ts";
import type { RunHandler, RunOf, RunResult } from "../running/run.ts";
import { type ChildOptions, Interrupted } from "./child.ts";
import { createHost, NotStarted, type SpawnHandlers } from "./host.ts";
import type { RunOrder } from "./messages.ts";
import { createTurns } from "./turns.ts";

export type ProcessRunner = {
  runHandler: RunHandler;
  /** Ends the processes. */
  close(): Promise<void>;
};

type Options = Pick<ChildOptions, "log"> & Partial<ChildOptions>;

const ANSWER_WITHIN_MS = 5_000;
const AGAIN_SECONDS = 1;
/** Most runs are short. One that waits for a long one gives its place to others. */
const TURN_WITHIN_MS = 2_000;
const WITHOUT_PROCESS_SECONDS = 10;
/** Forgetting one costs the runs beside it a second start. */
const MOST_SUSPECTS = 10_000;

/**
 * Runs handlers in a process of their own, so that none of them can stop the server. Of the runs that were there when
 * it ended, nobody knows which one ended it, unless it said so. So none of them counts: each runs again in a second
 * process, alone, and the one that ends that process too has failed.
 */
export function createProcessRunner(
  spawn: SpawnHandlers,
  { log, answerWithinMs = ANSWER_WITHIN_MS }: Options,
): ProcessRunner {
  const shared = createHost(spawn, { log, answerWithinMs });
  const solitary = createHost(spawn, { log, answerWithinMs });
  const suspects = new Set<string>();
  const turns = createTurns();
  let lastId = 0;

  function suspect(key: string): void {
    suspects.add(key);
    const [oldest] = suspects;
    if (suspects.size > MOST_SUSPECTS && oldest !== undefined) suspects.delete(oldest);
  }

  async function runAlone(
    key: string,
    order: RunOrder,
    handler: DefinedHandler,
    { signal }: RunOf,
  ): Promise<RunResult> {
    const endTurn = await turns.take(TURN_WITHIN_MS, signal);
    if (!endTurn) throw new JobPostponed("another handler runs alone", { seconds: AGAIN_SECONDS });
    const startedAt = performance.now();
    try {
      const { result, isFatal } = await solitary.run(order, { signal, timeoutSeconds: handler.timeoutSeconds });
      if (!isFatal) suspects.delete(key);
      return result;
    } catch (error) {
      if (error instanceof Interrupted && !error.blamedOther) return failureOf(error, handler, startedAt);
      throw error;
    } finally {
      endTurn();
    }
  }

  async function runTogether(
    key: string,
    order: RunOrder,
    handler: DefinedHandler,
    { signal }: RunOf,
  ): Promise<RunResult> {
    const startedAt = performance.now();
    try {
      const { result, isFatal } = await shared.run(order, { signal, timeoutSeconds: handler.timeoutSeconds });
      if (isFatal) suspect(key);
      return result;
    } catch (error) {
      if (!(error instanceof Interrupted)) throw error;
      suspect(key); // even if another one is to blame: alone, it comes to an end however often others do that
      if (error.alone) return failureOf(error, handler, startedAt);
      throw error;
    }
  }

  async function runHandler(handler: DefinedHandler, event: StoredEvent, run: RunOf): Promise<RunResult> {
    const { provider, deliveryId } = event.facts;
    const { trigger, attempt, lease } = run;
    const eventKey = Buffer.from(event.key).toString("base64url");
    const { id, queue, orderKey, leaseToken } = lease;
    const held = { id, queue, orderKey, leaseToken };
    lastId += 1;
    const order = { id: lastId, provider, handler: handler.name, deliveryId, eventKey, trigger, attempt, lease: held };
    const key = `${provider} ${handler.name} ${deliveryId} ${eventKey}`;
    try {
      return await (suspects.has(key) ? runAlone : runTogether)(key, order, handler, run);
    } catch (error) {
      if (error instanceof Interrupted)
        throw new JobPostponed(`the process ended: ${error.message}`, { seconds: AGAIN_SECONDS });
      if (!(error instanceof NotStarted)) throw error;
      throw new JobPostponed(error.message, { seconds: WITHOUT_PROCESS_SECONDS });
    }
  }

  return {
    runHandler,
    async close() {
      await Promise.all([shared.close(), solitary.close()]);
    },
  };
}

function failureOf(
  { message, blocked }: Interrupted,
  { timeoutSeconds }: DefinedHandler,
  startedAt: number,
): RunResult {
  const ms = Math.round(performance.now() - startedAt);
  return blocked
    ? {
        outcome: "timeout",
        ms,
        error: `not done after ${timeoutSeconds} s, and it kept the process busy, which was ended`,
        stack: null,
      }
    : { outcome: "error", ms, error: `the process ended while running it (${message})`, stack: null };
}
