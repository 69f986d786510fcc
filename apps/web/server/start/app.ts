import { CONSOLE_CLIENT_ID } from "@gatehouse/console/clients/built-in-clients";
import { createDeliveryStreams, type DeliveryStreams } from "@gatehouse/console/deliveries/stream/stream";
import {
  describeAdmin,
  describeUnknown,
  followMaintenance,
  type Installation,
  openInstallation,
  prepare,
  startMaintenance,
  unknownVariables,
} from "@gatehouse/installation";
import type { Logger } from "pino";
import type { PlaceOf } from "../../views/account/sessions.tsx";
import { createDeviceAttempts } from "../pages/device/attempts.ts";
import { createDatabaseProbe } from "./database-probe.ts";
import { type Env, processEnv, type StartEnv } from "./env.ts";
import { forkBackup } from "./fork-backup.ts";
import { forkHandlers } from "./fork-handlers.ts";
import { openLog } from "./log.ts";
import { openPlaces } from "./places.ts";
import type { Secrets } from "./secrets.ts";
import { timed } from "./times.ts";

/** Everything a handler may use: the installation, and what belongs to this process. */
export type App = Pick<Installation, "deps" | "webhooks" | "settings"> & {
  env: Env;
  deviceAttempts: ReturnType<typeof createDeviceAttempts>;
  consoleClientId: string;
  deliveryStreams: DeliveryStreams;
  placeOf: PlaceOf;
  log: Logger;
  database: Pick<Installation["database"], "deferCheckpoints" | "poolWaits" | "readOnThread" | "dialect" | "schema">;
  /** Whether the database answered within the last two seconds, for `/readyz?db=1`. */
  databaseAnswers(): Promise<boolean>;
  /** A process that drains answers 503 at /readyz. */
  state: { draining: boolean };
  /** Makes /readyz answer 503, ends streams and starts no more jobs and scheduled work. */
  beginDraining(): void;
  /** Gives running jobs what is left of `patience.stopSeconds`, closes the database and flushes the log. */
  close(): Promise<void>;
};

/** On `globalThis`, since Next loads this module more than once. */
const process_ = globalThis as { gatehouse?: Promise<App> | undefined; gatehouseStarted?: App | undefined };

/**
 * Of the processes of a server, the first prepares the database, runs jobs and does the scheduled work; workers only
 * serve.
 */
type Role = "first" | "worker";
/**
 * Called when the start has to wait for the database's schema, which lacks the migrations `missing`. Returns what is
 * called when it continues.
 */
export type OnWait = (env: Env, about: { log: Logger; missing: readonly string[] }) => Promise<() => Promise<void>>;

/**
 * The app; the first call starts it. Throws what `openInstallation` and `prepare` throw.
 * @param secrets As for `processEnv`.
 */
export function startApp(
  role: Role = "first",
  onWait: OnWait = async () => async () => {},
  secrets?: Secrets,
): Promise<App> {
  process_.gatehouse ??= start(processEnv(secrets), role, onWait).then((app) => {
    process_.gatehouseStarted = app;
    return app;
  });
  return process_.gatehouse;
}

/** The app once it has started, for code that every request runs; undefined before. */
export function startedApp(): App | undefined {
  return process_.gatehouseStarted;
}

/** Closes the app. From the call on, `startApp` starts another one. */
export async function stopApp(): Promise<void> {
  const app = process_.gatehouse;
  process_.gatehouse = undefined;
  process_.gatehouseStarted = undefined;
  await (await app)?.close();
}

async function start(env: StartEnv, role: Role, onWait: OnWait): Promise<App> {
  const { log, destination } = openLog(env.logLevel);
  const placeOf = await openPlaces(env.settings.geoipFile);
  const spawnHandlers = role === "first" ? { spawnHandlers: () => forkHandlers(env) } : {}; // workers run no jobs
  const installation = await timed("open the database", () =>
    openInstallation(env.settings, { log, ...spawnHandlers }),
  );
  if (role === "first") {
    for (const one of unknownVariables(env.settings.source.variables)) log.warn(describeUnknown(one));
    const outcome = await timed("migrate, and create the first admin", () =>
      prepare(installation, { onWait: (missing) => onWait(env, { log, missing }) }),
    );
    const announcement = describeAdmin(outcome);
    if (announcement) process.stdout.write(`${announcement}\n`); // not to the log: a password must not be stored there
  }
  await installation.settings.follow();
  const readOnly = await followMaintenance(installation.database, log);
  const writeLines = env.auditLog === "stdout" ? destination.deliver : undefined;
  const tasks = { ...(writeLines && { writeLines }), spawnBackup: forkBackup(env) };
  const maintenance = role === "first" ? startMaintenance(installation, tasks) : undefined;

  const { deps, webhooks, settings, database } = installation;
  const state = { draining: false };
  const deliveryStreams = createDeliveryStreams({
    reads: deps.reads,
    now: deps.now,
    onError: (error) => log.error({ err: error }, "streaming deliveries failed"),
  });
  let stopBy: number | undefined;
  return {
    env,
    deps,
    webhooks,
    settings,
    deviceAttempts: createDeviceAttempts(database),
    consoleClientId: CONSOLE_CLIENT_ID,
    deliveryStreams,
    placeOf,
    log,
    database,
    databaseAnswers: createDatabaseProbe(() => deps.store.findClient(CONSOLE_CLIENT_ID)),
    state,
    beginDraining() {
      state.draining = true;
      deliveryStreams.close();
      stopBy ??= performance.now() + env.patience.stopSeconds * 1000;
      maintenance?.drain();
    },
    async close() {
      readOnly.stop();
      await maintenance?.stop(stopBy === undefined ? 0 : Math.max(0, stopBy - performance.now()));
      await installation.close();
      log.flush();
    },
  };
}
