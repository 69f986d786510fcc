import { setTimeout as pause } from "node:timers/promises";
import type { JobLease } from "@gatehouse/db/stores/jobs/job-outcomes";
import { findEventState, listEventAttempts } from "@gatehouse/db/stores/webhooks/handler-runs";
import type { RerunRow } from "@gatehouse/db/stores/webhooks/reruns";
import { JobPostponed } from "../../jobs/queue.ts";
import { loadEvents, NotRunnable, type StoredEvent } from "../running/event.ts";
import { type HandleDeps, handleEvent } from "../running/handle.ts";
import { handlersOfEvent } from "../running/handlers-of-event.ts";

/** How one delivery of a run ended. */
export type Verdict = { verdict: "succeeded" } | { verdict: "failed" | "skipped"; message: string };

/** A run, and the job that works it off. */
export type RunOfReruns = Pick<RerunRow, "trigger" | "actorName" | "role"> & { signal: AbortSignal; lease: JobLease };

/**
 * Runs every handler of every event of a delivery, one after the other, and forwards it again. Throws only if the job was lost or the process
 * stops.
 */
export async function rerunDelivery(deliveryId: string, run: RunOfReruns, deps: HandleDeps): Promise<Verdict> {
  try {
    const events = await loadEvents(deliveryId, deps);
    const failures: string[] = [];
    let handled = 0;
    for (const event of events) {
      assertAllowed(event, run);
      for (const result of await rerunEvent(event, run, deps)) {
        handled += 1;
        if (result.error !== null) failures.push(result.error);
      }
    }
    if (handled === 0)
      return { verdict: "skipped", message: `No handler is defined for ${events[0]?.facts.type ?? "this event"}.` };
    const [first] = failures;
    return first === undefined ? { verdict: "succeeded" } : { verdict: "failed", message: first };
  } catch (error) {
    if (error instanceof NotRunnable) return { verdict: "skipped", message: error.message };
    throw error;
  }
}

function assertAllowed({ facts }: StoredEvent, { role }: RunOfReruns): void {
  if (facts.environment !== "production" || role === "admin") return;
  throw new NotRunnable("Only admins can run events of production again.");
}

async function rerunEvent(event: StoredEvent, run: RunOfReruns, deps: HandleDeps) {
  const { db } = deps;
  const ref = { endpoint: event.endpoint.slug, eventKey: event.key };
  const stored = await findEventState(db, ref);
  if (!stored) throw new NotRunnable("The event has been deleted because of its age.");
  const { deliveryId } = stored;
  const results = [];
  for (const handler of handlersOfEvent(event, deps)) {
    const earlier = await listEventAttempts(db, { ...ref, deliveryId });
    const attempt = earlier.filter((one) => one.handler === handler.name).length + 1;
    const { trigger, actorName: actor, signal, lease } = run;
    const handling = { trigger, attempt, signal, lease, deliveryId, actor, givesUp: null };
    results.push(await untilRun(() => handleEvent(handler, event, handling, deps), signal));
  }
  return results;
}

/** A postponed run waits here: given back, the job would run the handlers of its other deliveries twice. */
async function untilRun<Result>(run: () => Promise<Result>, signal: AbortSignal): Promise<Result> {
  for (;;) {
    try {
      return await run();
    } catch (error) {
      if (!(error instanceof JobPostponed)) throw error;
      await pause(error.seconds * 1000, undefined, { signal });
    }
  }
}
