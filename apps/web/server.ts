import cluster from "node:cluster";
import { existsSync } from "node:fs";
import type { Server } from "node:http";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { Worker } from "node:worker_threads";
import { exitCodeOf } from "@gatehouse/runtime";
import { cutConnections, drain } from "@gatehouse/runtime/drain";
import { onReload } from "@gatehouse/runtime/reload";
import { onStop } from "@gatehouse/runtime/stop";
import { variablesReader } from "@gatehouse/runtime/variables";
import { trustSocketAddress } from "./server/node/address.ts";
import { loadAssets } from "./server/node/assets.ts";
import { listen } from "./server/node/listen.ts";
import { mountedListener } from "./server/node/listener.ts";
import { startNext } from "./server/node/next.ts";
import type { NextServer } from "./server/node/next-mount.ts";
import { answerUnready } from "./server/node/unready.ts";
import { reportReady, superviseWorkers } from "./server/node/workers.ts";
import { answerOpsUnready, startOps } from "./server/ops/ops.ts";
import { measureProcess } from "./server/ops/process-metrics.ts";
import { answerSnapshots } from "./server/ops/worker-snapshots.ts";
import { watchLoad } from "./server/overload/watch.ts";
import { unreadableCookies } from "./server/pages/cookies/too-many.tsx";
import { everywhereHeaders } from "./server/routing/headers.ts";
import { loadRoutes } from "./server/routing/routes.ts";
import { type App, type OnWait, startApp, startedApp } from "./server/start/app.ts";
import { readOnThread } from "./server/start/read-thread.ts";
import { followReloads, reload } from "./server/start/reload.ts";
import { receiveSecrets } from "./server/start/secrets.ts";
import { reportStartTimes, timed } from "./server/start/times.ts";
import { withTraces } from "./server/traces/start.ts";

/** How long closing the database may take after the last request. */
const CLOSE_WITHIN_MS = 3_000;

/** Starts the web server, in one process or several. */
async function main(): Promise<void> {
  const programSeconds = performance.now() / 1000;
  trustSocketAddress();
  if (cluster.isPrimary) reloadOnHangup();
  else process.on("SIGHUP", () => {}); // the first process decides
  const app = withCheckpoints(
    await withTraces(
      cluster.isWorker ? await startApp("worker", onWait, await receiveSecrets()) : await startApp("first", onWait),
    ),
  );
  readOnThread(app);
  measureProcess();
  if (cluster.isWorker) {
    answerSnapshots();
    followReloads(app.log);
  }
  process.on("unhandledRejection", (error) =>
    app.log.error({ err: error }, "a promise rejected, and nothing waits for it"),
  );
  const { env } = app;
  if (env.workers > 1 && !env.dev && cluster.isPrimary) await superviseWorkers(env.workers, app);
  else await timed("load the routes, and listen", () => serve(app));
  if (cluster.isWorker) return reportReady();
  await startOps(app);
  reportStartTimes(programSeconds);
  app.log.info({ issuer: env.issuer, port: env.port, workers: env.workers }, "listening");
  app.log.flush();
}

const onWait: OnWait = async (env, about) => {
  const ends = await Promise.all([answerUnready(env), answerOpsUnready(env, about)]);
  return async () => void (await Promise.all(ends.map((end) => end())));
};

/** From the start on, since SIGHUP would end a process that does not listen for it. OP-17 */
function reloadOnHangup(): void {
  const read = variablesReader(process.env, process.cwd());
  const atStart = read();
  onReload(() => {
    const log = startedApp()?.log;
    if (log) reload(atStart, read, log);
  });
}

const LONG_LOG =
  "SQLite's log (the -wal file) cannot restart and keeps growing: another program holds a read transaction open (a backup, a shell, a replica), or the disk is too slow";

/**
 * Runs SQLite checkpoints on a thread, so that no request waits for them; where another program runs them, the thread
 * watches the log.
 */
function withCheckpoints(app: App): App {
  const file = app.database.deferCheckpoints();
  if (file === undefined || cluster.isWorker) return app;
  const thread = new Worker(new URL("./checkpoint.mjs", import.meta.url), {
    workerData: { file, external: app.settings.current.checkpoint === "external" },
  });
  thread.on("message", (logBytes) => app.log.warn({ logBytes }, LONG_LOG));
  thread.on("error", (error) =>
    app.log.error({ err: error }, "the checkpoint thread failed; writers run checkpoints instead"),
  );
  thread.unref();
  return {
    ...app,
    async close() {
      await thread.terminate();
      await app.close();
    },
  };
}

/** Listens: our own routes without Next, and Next where it is needed. */
async function serve(app: App): Promise<void> {
  const { env } = app;
  const next = startNext({ settings: app.settings.current }, process.argv[2]);
  const handle = mountedListener(app, loadAssets(join(appFolder(), "public/assets")), await loadRoutes(), next);
  const place = {
    ...env,
    onReload: (error?: Error) => reportReload(app, error),
    onError: (error: unknown, requestId?: string) =>
      app.log.error({ err: error, request_id: requestId }, "a request failed"),
  };
  const servers = await listen(handle, place, () => unreadableCookies(app, everywhereHeaders(env.issuer)));
  watchLoad({
    maxInFlight: env.maxInFlight,
    poolWaits: app.database.poolWaits,
    onChange: (shedding) =>
      app.log.warn(shedding, shedding.sheds ? "overloaded: some requests get 503" : "no longer overloaded"),
  });

  onStop(() => void stop(servers, next, app), { reloads: true });
}

function reportReload({ log }: App, error?: Error): void {
  if (error) log.error({ err: error }, "the new certificate cannot be used, and the one before stays");
  else log.info({}, "the certificate was read again");
}

/** apps/web: the folder of this file, or its parent when this runs as a bundle. */
function appFolder(): string {
  const here = dirname(fileURLToPath(import.meta.url));
  return existsSync(join(here, "package.json")) ? here : dirname(here);
}

/** Lets requests in flight finish, then closes the database. OP-72. Exits with 1 if some had to be cut off. */
async function stop(servers: readonly Server[], next: NextServer | undefined, app: App): Promise<void> {
  const { patience, dev } = app.env;
  app.log.info(patience, "stopping");
  setTimeout(() => process.exit(1), patience.stopSeconds * 1000 + CLOSE_WITHIN_MS).unref();
  app.beginDraining();
  if (dev) cutConnections(servers); // nobody waits for a server that starts again
  const finished = dev || (await drain(servers, patience));
  await next?.close();
  await app.close();
  process.exit(finished ? 0 : 1);
}

await main().catch((error: unknown) => {
  console.error(`Gatehouse cannot start: ${error instanceof Error ? error.message : String(error)}`);
  process.exit(exitCodeOf(error));
});
