import { writeFileSync } from "node:fs";
import { constants, setPriority } from "node:os";
import { Worker } from "node:worker_threads";

/** A thread, since a handler can block the event loop. As text, since bundlers would have to be told of a file. */
const WATCH = `
const { workerData: { parent, mostBytes } } = require("node:worker_threads");
setInterval(() => {
  if (process.ppid !== parent) process.kill(process.pid, "SIGKILL");
  if (process.memoryUsage.rss() > mostBytes) process.kill(process.pid, "SIGABRT");
}, 250);
`;

/**
 * Makes this process yield to the server: it ends when its parent is gone or it uses more memory than allowed (buffers
 * included, which V8's own limit leaves out), has a lower priority, and is the first that Linux ends when memory runs
 * out.
 */
export function guardProcess(memoryMb: number): void {
  const workerData = { parent: process.ppid, mostBytes: memoryMb * 1024 * 1024 };
  new Worker(WATCH, { eval: true, workerData, resourceLimits: { maxOldGenerationSizeMb: 16 } }).unref();
  attempt(() => setPriority(constants.priority.PRIORITY_BELOW_NORMAL));
  attempt(() => writeFileSync("/proc/self/oom_score_adj", "500"));
}

/** What a sandbox may refuse, and systems other than Linux do not have. */
function attempt(act: () => void): void {
  try {
    act();
  } catch {
    // The rest still holds.
  }
}
