import { Worker } from "node:worker_threads";
import type { App } from "./app.ts";

/**
 * Runs the console's list queries on a thread, so that no request waits for them. Not in development, which has no
 * bundle.
 */
export function readOnThread({ env, database, log }: Pick<App, "env" | "database" | "log">): void {
  if (env.dev) return;
  database.readOnThread((file) => {
    const thread = new Worker(new URL("./reads.mjs", import.meta.url), { workerData: file });
    return thread.on("error", (error) =>
      log.error({ err: error }, "the read thread failed; the next read starts another one"),
    );
  });
}
