import cluster from "node:cluster";
import { existsSync } from "node:fs";
import type { Server } from "node:http";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { Worker } from "node:worker_threads";
import { vouchForAddresses } from "./server/address.ts";
import { loadAssets } from "./server/assets.ts";
import { type App, startApp } from "./server/deps.ts";
import { startFramework } from "./server/framework.ts";
import { closeAll, listen } from "./server/listen.ts";
import { developmentListener, mountedListener } from "./server/listener.ts";
import { reportReady, superviseWorkers } from "./server/workers.ts";

const STOP_WITHIN_MS = 8_000;

/** Starts the web server, in one process or in several. Ends the process when it cannot. */
async function main(): Promise<void> {
  vouchForAddresses();
  const app = withCheckpoints(await startApp(cluster.isWorker ? "worker" : "first"));
  const { env } = app;
  if (env.workers > 1 && !env.dev && cluster.isPrimary) await superviseWorkers(env.workers, app);
  else await serve(app);
  if (cluster.isWorker) return reportReady();
  app.log.info({ issuer: env.issuer, port: env.port, workers: env.workers }, "listening");
  app.log.flush();
}

/** One thread copies SQLite's log into its file, so that no request waits for that. In development there is no bundle, and no load. */
function withCheckpoints(app: App): App {
  const file = app.env.dev ? undefined : app.database.deferCheckpoints();
  if (file === undefined || cluster.isWorker) return app;
  const thread = new Worker(new URL("./checkpoint.mjs", import.meta.url), { workerData: file });
  thread.on("error", (error) => app.log.error({ err: error }, "the checkpointing thread ended; writers do its work"));
  thread.unref();
  return {
    ...app,
    async close() {
      await thread.terminate();
      await app.close();
    },
  };
}

/** Our routes on a plain Node server, the framework beside them where it has something to do; in development all behind it. */
async function serve(app: App): Promise<void> {
  const { env } = app;
  const folder = appFolder();
  const framework = await startFramework(env, folder);
  const handle =
    env.dev && framework
      ? developmentListener(app, framework.listener)
      : mountedListener(app, loadAssets(join(folder, "public/assets")), framework);
  const servers = await listen(handle, env.hosts, env.port);
  framework?.upgradeOn(servers);

  for (const signal of ["SIGTERM", "SIGINT"] as const) process.on(signal, () => void stop(servers, app));
}

/** apps/web, from here or from the bundle below it. */
function appFolder(): string {
  const here = dirname(fileURLToPath(import.meta.url));
  return existsSync(join(here, "package.json")) ? here : dirname(here);
}

let stopping = false;

/** Lets requests that are under way finish, then closes the database. */
async function stop(servers: readonly Server[], app: App): Promise<void> {
  if (stopping) return;
  stopping = true;
  setTimeout(() => process.exit(1), STOP_WITHIN_MS).unref();
  await closeAll(servers);
  await app.close();
  process.exit(0);
}

await main().catch((error: unknown) => {
  console.error(`Gatehouse cannot start: ${error instanceof Error ? error.message : String(error)}`);
  process.exit(1);
});
