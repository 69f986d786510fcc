import { Worker } from "node:worker_threads";
import type { App } from "./app.ts";

/** Runs the console's list queries on a thread, so that no request waits for them. */
export function readOnThread({ database, log }: Pick<App, "database" | "log">): void {
  database.readOnThread((file) => {
    const thread = new Worker(new URL("./reads.mjs", import.meta.url), { workerData: file });
    return thread.on("error", (error) =>
      log.error({ err: error }, "the read thread failed; the next read starts another one"),
    );
  });
}
