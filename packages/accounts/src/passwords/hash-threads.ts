import { createRequire } from "node:module";
import { availableParallelism } from "node:os";
import { Worker } from "node:worker_threads";

/** Modules with functions that hash. */
type HashModule = "@node-rs/argon2" | "@node-rs/bcrypt" | "node:crypto";
type Job = { module: string; name: string; args: readonly unknown[] };
type Answer = { value: unknown } | { error: string };

/** A tenth of the processor time of a thread of normal priority, when both want it: nice 0 weighs 1024, nice 10 110. */
const NICE = 10;
/** Linux counts the priority by thread; elsewhere the whole process would get it. */
const HAS_THREAD_PRIORITY = process.platform === "linux";
const IDLE_MS = 30_000;

/** As text, since bundlers would have to be told of a file. */
const CODE = `
const { parentPort, workerData: { nice } } = require("node:worker_threads");
if (nice !== undefined) try { require("node:os").setPriority(0, Math.min(19, require("node:os").getPriority(0) + nice)); } catch {}
parentPort.on("message", ({ module, name, args }) => {
  try { parentPort.postMessage({ value: require(module)[name](...args) }); }
  catch (error) { parentPort.postMessage({ error: String(error && error.message) }); }
});
`;

const resolve = createRequire(import.meta.url).resolve;
type Pending = Job & { settle: (answer: Answer) => void };
type Thread = { worker: Worker; running: Pending | undefined; idleTimer: NodeJS.Timeout | undefined };
const threads = new Set<Thread>();
const waiting: Pending[] = [];

/**
 * Calls a synchronous function that takes milliseconds of processor time, on a thread. At most one call for each core
 * runs. The threads have a low priority, since they would otherwise take the cores from the event loops: somebody who
 * tries passwords must not make clients wait for tokens. PW-06, OP-89. Arguments and result are copied.
 */
export function onHashThread<Value>(module: HashModule, name: string, ...args: unknown[]): Promise<Value> {
  return new Promise((fulfil, reject) => {
    const settle = (answer: Answer) =>
      "value" in answer ? fulfil(answer.value as Value) : reject(new Error(answer.error));
    waiting.push({ module: resolve(module), name, args, settle });
    next();
  });
}

/** Gives the next job to a thread, if one is idle or may be started. */
function next(): void {
  const job = waiting[0];
  if (job === undefined) return;
  const idle = [...threads].find(({ running }) => running === undefined);
  if (idle === undefined && threads.size >= availableParallelism()) return;
  waiting.shift();
  const thread = idle ?? startThread();
  clearTimeout(thread.idleTimer);
  thread.running = job;
  thread.worker.ref(); // a command line must not end under its job
  thread.worker.postMessage({ module: job.module, name: job.name, args: job.args } satisfies Job);
}

function startThread(): Thread {
  const worker = new Worker(CODE, {
    eval: true,
    workerData: { nice: HAS_THREAD_PRIORITY ? NICE : undefined },
    resourceLimits: { maxOldGenerationSizeMb: 16, maxYoungGenerationSizeMb: 1 },
  });
  const thread: Thread = { worker, running: undefined, idleTimer: undefined };
  threads.add(thread);
  worker.on("message", (answer: Answer) => {
    const { running } = thread;
    thread.running = undefined;
    worker.unref();
    thread.idleTimer = setTimeout(() => void worker.terminate(), IDLE_MS).unref();
    running?.settle(answer);
    next();
  });
  const end = (error: string) => {
    if (!threads.delete(thread)) return;
    thread.running?.settle({ error });
    next();
  };
  worker.once("error", ({ message }) => end(message));
  worker.once("exit", (code) => end(`the thread for passwords ended with code ${code}`));
  return thread;
}
