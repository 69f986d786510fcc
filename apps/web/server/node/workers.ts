import cluster, { type Worker } from "node:cluster";
import { onStop } from "@gatehouse/lifecycle/stop";
import type { App } from "../start/app.ts";

/** A worker that has cut its connections ends within this time. */
const END_WITHIN_MS = 4_000;

/**
 * The first process of several: it migrated the database, and it sweeps; its workers serve, all on the same port.
 * Returns when every one of them listens. A worker that ends is replaced.
 */
export async function superviseWorkers(count: number, app: App): Promise<void> {
  let stopping = false;

  const start = () => {
    const worker = cluster.fork();
    let served = false;
    worker.once("exit", (code, signal) => {
      if (stopping) return;
      if (!served) return void stop(1); // it has said why, and the next one would end like it
      app.log.error({ code, signal }, "a worker ended and is replaced");
      void start();
    });
    return listening(worker).then(() => {
      served = true;
    });
  };

  async function stop(code: number): Promise<void> {
    if (stopping) return;
    stopping = true;
    app.beginDraining();
    const workers = Object.values(cluster.workers ?? {}).filter((worker) => worker !== undefined);
    const gone = workers.map(ended);
    for (const { process: child } of workers) child.kill("SIGTERM");
    const tooLate = app.env.patience.stopSeconds * 1000 + END_WITHIN_MS;
    const late = setTimeout(() => workers.forEach(({ process: child }) => void child.kill("SIGKILL")), tooLate);
    const clean = (await Promise.all(gone)).every(Boolean);
    clearTimeout(late);
    setTimeout(() => process.exit(1), END_WITHIN_MS).unref();
    await app.close();
    process.exit(clean ? code : 1);
  }

  onStop(() => void stop(0));
  await start(); // alone, so that a port that is taken is complained of once
  await Promise.all(Array.from({ length: count - 1 }, start));
}

/** Resolves when a worker that was asked to stop is gone: to false if it had to be cut. One that has not yet served just ends. */
function ended(worker: Worker): Promise<boolean> {
  return new Promise((resolve) => worker.process.once("exit", (code, signal) => resolve(code === 0 || signal === "SIGTERM")));
}

const READY = "listening";

/** Told by a worker, once it serves. */
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
