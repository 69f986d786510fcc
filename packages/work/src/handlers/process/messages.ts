import type { JobLease } from "@gatehouse/db/stores/jobs/job-outcomes";
import type { Trigger } from "../context.ts";
import type { RunResult } from "../running/run.ts";

/** What the process of the handlers is told to run. It reads the event from the database itself. */
export type RunOrder = {
  id: number;
  provider: string;
  handler: string;
  deliveryId: string;
  /** base64url. */
  eventKey: string;
  trigger: Trigger;
  attempt: number;
  lease: JobLease;
};

export type ToHandlers = { kind: "run"; order: RunOrder } | { kind: "abort"; id: number };

/** How a run ended, and whether the process ends because of it. */
export type Ending = { result: RunResult; isFatal: boolean };

export type FromHandlers =
  | { kind: "ready" }
  | ({ kind: "ended"; id: number } & Ending)
  /** The run did not begin, or its signal was aborted. */
  | { kind: "failed"; id: number; message: string }
  /** The process ends because of a run that it has reported, so the others have no part in it. */
  | { kind: "leaving" };
