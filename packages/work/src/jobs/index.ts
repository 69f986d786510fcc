// Work to do later: jobs with leases, and what one process does from time to time for all.

export { type Backoff, exponential, steps } from "./backoff.ts";
export type { Log } from "./log.ts";
export { type JobContext, JobFailure, JobPostponed, PROCESS_ENDED, type Queue } from "./queue.ts";
export { createSchedule, type Schedule } from "./schedule.ts";
export { createWorker, type Worker, type WorkerDeps } from "./worker.ts";
