import { createOutbound, createSeal } from "@gatehouse/auth";
import type { OperationDeps } from "@gatehouse/console/deps";
import { isProbe } from "@gatehouse/console/doctor/probe";
import { type Database, openDatabase } from "@gatehouse/db/database";
import type { MigrationSource } from "@gatehouse/db/migrations/read";
import { createStats, type Stats } from "@gatehouse/db/stores/stats/store";
import { createWebhookStore } from "@gatehouse/db/stores/webhooks/store";
import { handlers as productHandlers, migrations as productMigrations } from "@gatehouse/product";
import type { ReceiveDeps } from "@gatehouse/webhooks";
import {
  createProcessRunner,
  createSendRequest,
  type Handlers,
  jobsOfEvent,
  type ProcessRunner,
  type RunDeps,
  runHandler,
  type SpawnHandlers,
  wakingAfterDelivery,
} from "@gatehouse/work/handlers";
import { createWorker, type Worker } from "@gatehouse/work/jobs";
import { ensureBuiltInClients } from "./built-in-clients.ts";
import { createPreciseClock } from "./clock.ts";
import type { Log } from "./log.ts";
import { createMail } from "./mail.ts";
import { measureDeliveries } from "./measured.ts";
import { allowsLoopback, createOperationDeps } from "./operation-deps.ts";
import { createProviderRequests } from "./provider-requests.ts";
import type { WorkDeps } from "./queues.ts";
import { createRandom } from "./random.ts";
import { createLiveSettings, type LiveSettings } from "./settings/live.ts";
import type { Settings } from "./settings/settings.ts";

/** An open installation: its database, and everything that is built on it. */
export type Installation = {
  settings: LiveSettings;
  database: Database;
  /** What the protocol and the operations depend on. */
  deps: OperationDeps;
  /** What receiving webhooks depends on. */
  webhooks: ReceiveDeps;
  /** What jobs depend on. */
  work: WorkDeps;
  /** Runs jobs once `startMaintenance` has started it, in one process of each server. */
  worker: Worker;
  /** Counts for charts, added to the database every few seconds. */
  stats: Stats;
  log: Log;
  close(): Promise<void>;
};

type Options = {
  log: Log;
  /** Applied after Gatehouse's own. Default: the product's. */
  migrations?: readonly MigrationSource[];
  /** By default the product's. */
  handlers?: Handlers;
  /** Starts a process for the handlers. Without it, they run in this one. */
  spawnHandlers?: SpawnHandlers;
  /** Writes a line to the terminal. */
  print?: (line: string) => void;
};

/**
 * Opens the database and builds everything on it: the one composition root, for servers, commands and tests. Changes
 * nothing in the database: `prepare` does that.
 */
export async function openInstallation(environment: Settings, options: Options): Promise<Installation> {
  const { log, migrations = productMigrations, handlers = productHandlers, print = printLine } = options;
  const database = await openDatabase(environment.databaseUrl, {
    maxConnections: environment.databasePool,
    directUrl: environment.databaseDirectUrl,
    readUrl: environment.databaseReadUrl,
    preparing: environment.databasePrepare,
    checkpoint: environment.checkpoint,
    further: migrations,
    warn: (message) => log.warn({}, message),
  });
  const { db, background, reads } = database;
  const now = unixSeconds;
  const random = createRandom();
  const seal = createSeal(environment.secret, random, environment.previousSecrets);
  const outbound = createOutbound({ allowLoopback: allowsLoopback(environment.config) });
  const providerRequests = createProviderRequests(outbound.fetchBytes);

  const settings = createLiveSettings(environment, { db: background, seal, log });
  const stats = createStats(background, {
    now,
    onError: (error) => log.error({ err: error }, "the counts for charts could not be stored"),
  });
  const mail = createMail({ database, settings, log, now, random, seal, print });
  const deps = createOperationDeps({
    database,
    settings,
    log,
    now,
    random,
    seal,
    outbound,
    providerRequests,
    mail,
    stats,
  });
  settings.subscribe((changed) => ensureBuiltInClients(changed, deps));

  const worker = createWorker({ db: background, random, log, leaseSeconds: environment.jobLeaseSeconds });
  const webhooks: ReceiveDeps = {
    store: wakingAfterDelivery(createWebhookStore(db, seal, now, stats), worker.wake),
    isProbe: (headers) => isProbe(headers, deps),
    outbound: providerRequests,
    handlersFor: (event) => jobsOfEvent(handlers, event),
    baseUrl: environment.config.issuer,
    now,
    nowMs: createPreciseClock(),
    random,
    onOutcome: measureDeliveries(),
    report: (error, requestId) => log.error({ err: error, request_id: requestId }, "a delivery could not be stored"),
  };
  const running: RunDeps = { db: background, now, log, request: createSendRequest(outbound.fetchBytes) };
  const spawn = environment.handlers.place === "process" ? options.spawnHandlers : undefined;
  const runner = spawn ? createProcessRunner(spawn, { log }) : runHere(running);
  const work: WorkDeps = {
    ...webhooks,
    ...running,
    deps,
    handlers,
    reads,
    mail,
    count: stats.count,
    postBytes: outbound.postBytes,
    runHandler: runner.runHandler,
  };

  async function close(): Promise<void> {
    settings.stop();
    await runner.close();
    await stats.stop().catch((error: unknown) => log.error({ err: error }, "the last counts for charts are lost"));
    await database.close();
  }
  return { settings, database, deps, webhooks, work, worker, stats, log, close };
}

/** Runs handlers in this process. */
function runHere(running: RunDeps): ProcessRunner {
  return { runHandler: (handler, event, run) => runHandler(handler, event, run, running), async close() {} };
}

const unixSeconds = () => Math.floor(Date.now() / 1000);
const printLine = (line: string) => process.stdout.write(`${line}\n`);
