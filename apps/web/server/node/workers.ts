import cluster, { type Worker } from "node:cluster";
import { onStop } from "@gatehouse/runtime/stop";
import type { App } from "../start/app.ts";
import { inheritedVariables } from "../start/env.ts";
import { handOver, secretsFromFiles } from "../start/secrets.ts";

/** How long a worker may take to exit after it has closed its connections. */
const END_WITHIN_MS = 4_000;

/**
 * Supervises the workers: this process has migrated the database and runs jobs and does the scheduled work, the workers
 * serve, all on one port. Resolves when all of them listen. A worker that exits is replaced.
 */
export async function superviseWorkers(count: number, app: App): Promise<void> {
  let stopping = false;

  const start = () => {
    const worker = cluster.fork(inheritedVariables());
    handOver(worker.process, () => secretsFromFiles(app.settings.current.source.variables));
    let served = false;
    worker.once("exit", (code, signal) => {
      if (stopping) return;
      if (!served) return void stop(1); // it has logged why, and the next one would fail too
      app.log.error({ code, signal }, "a worker exited and is replaced");
      void start();
    });
    return listening(worker).then(() => {
      served = true;
    });
  };

  async function stop(code: number): Promise<void> {
    if (stopping) return;
    stopping = true;
    const beganAt = performance.now();
    app.beginDraining();
    const workers = Object.values(cluster.workers ?? {}).filter((worker) => worker !== undefined);
    const gone = workers.map(ended);
    for (const { process: child } of workers) child.kill("SIGTERM");
    const tooLate = app.env.patience.stopSeconds * 1000 + END_WITHIN_MS;
    const late = setTimeout(() => workers.forEach(({ process: child }) => void child.kill("SIGKILL")), tooLate);
    const clean = (await Promise.all(gone)).every(Boolean);
    clearTimeout(late);
    // Jobs may still run, so do not wait forever.
    setTimeout(() => process.exit(1), Math.max(END_WITHIN_MS, tooLate - (performance.now() - beganAt))).unref();
    await app.close();
    process.exit(clean ? code : 1);
  }

  onStop(() => void stop(0), { reloads: true });
  await start(); // first alone, so that a port in use is reported once
  await Promise.all(Array.from({ length: count - 1 }, start));
}

/**
 * Resolves when a worker has exited: to false if it had to close connections. A worker that has not served yet dies of
 * the signal.
 */
function ended(worker: Worker): Promise<boolean> {
  return new Promise((resolve) =>
    worker.process.once("exit", (code, signal) => resolve(code === 0 || signal === "SIGTERM")),
  );
}

const READY = "listening";

/** Called in a worker when it serves. */
export function reportReady(): void {
  process.send?.(READY);
}

function listening(worker: Worker): Promise<void> {
  return new Promise((resolve) => {
    worker.on("message", (message) => {
      if (message === READY) resolve();
    });
  });
}
