import cluster, { type Worker } from "node:cluster";
import type { App } from "./deps.ts";

const STOP_WITHIN_MS = 9_000;

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
    const workers = Object.values(cluster.workers ?? {}).filter((worker) => worker !== undefined);
    const gone = workers.map((worker) => new Promise((resolve) => worker.process.once("exit", resolve)));
    for (const { process: child } of workers) child.kill("SIGTERM");
    const late = setTimeout(() => workers.forEach(({ process: child }) => void child.kill("SIGKILL")), STOP_WITHIN_MS);
    await Promise.all(gone);
    clearTimeout(late);
    await app.close();
    process.exit(code);
  }

  for (const signal of ["SIGTERM", "SIGINT"] as const) process.on(signal, () => void stop(0));
  await start(); // alone, so that a port that is taken is complained of once
  await Promise.all(Array.from({ length: count - 1 }, start));
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
