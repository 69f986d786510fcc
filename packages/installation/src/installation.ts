import { createBreachCheck, createPasswordHasher, createPasswordRules, createUpstream, namesAsWords } from "@gatehouse/accounts";
import { createOutbound, createSeal } from "@gatehouse/auth";
import {
  createAccountStore,
  createAuthStore,
  createStats,
  createWebhookStore,
  type Database,
  type MigrationSource,
  openDatabase,
  type Stats,
} from "@gatehouse/db";
import { createProcessRunner, createSendRequest, type Handlers, jobsOfEvent, runHandler, type SpawnHandlers } from "@gatehouse/handlers";
import { createWorker, type Worker } from "@gatehouse/jobs";
import { createRequestPolicy, isProbe, type OperationDeps } from "@gatehouse/operations";
import { handlers as productHandlers, migrations as productMigrations } from "@gatehouse/product";
import type { ReceiveDeps } from "@gatehouse/webhooks";
import { ensureBuiltInClients } from "./built-in-clients.ts";
import { createPreciseClock } from "./clock.ts";
import { createLimits } from "./limits.ts";
import { createLiveSettings, type LiveSettings } from "./live-settings.ts";
import { createMail } from "./mail.ts";
import { createProviderRequests } from "./provider-requests.ts";
import { queuesOf, type WorkDeps } from "./queues.ts";
import { createRandom } from "./random.ts";
import type { Settings } from "./settings.ts";
import { wakingAfterDelivery } from "./wake-after-delivery.ts";

/** Where events are reported; a pino logger, for example. */
export type Log = Record<"info" | "warn" | "error", (fields: object, message: string) => void>;

/** An open installation: its database, and everything that is built on it. */
export type Installation = {
  /** Changes in place when an admin saves settings in the console. */
  settings: Settings;
  live: LiveSettings;
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

/**
 * Opens the database and builds everything on it: the one composition root, for servers, commands and tests. Changes nothing in the
 * database: `prepare` does that. `migrations` apply after Gatehouse's own; they and `handlers` are the product's, unless a test says
 * otherwise. `spawnHandlers` starts a process for the handlers; without it they run in this one.
 */
export async function openInstallation(
  settings: Settings,
  {
    log,
    migrations = [productMigrations],
    handlers = productHandlers,
    spawnHandlers,
    print = (line) => process.stdout.write(`${line}\n`),
  }: {
    log: Log;
    migrations?: readonly MigrationSource[];
    handlers?: Handlers;
    spawnHandlers?: SpawnHandlers;
    print?: (line: string) => void;
  },
): Promise<Installation> {
  const database = await openDatabase(settings.databaseUrl, {
    maxConnections: settings.databasePool,
    directUrl: settings.databaseDirectUrl,
    preparing: settings.databasePrepare,
    further: migrations,
    warn: (message) => log.warn({}, message),
  });
  const { handle, reads, background } = database;
  const { config } = settings;
  const random = createRandom();
  const seal = createSeal(settings.secret, random);
  const now = () => Math.floor(Date.now() / 1000);

  const people = createAccountStore(handle);
  const names = async () => namesAsWords([settings.productName, new URL(config.issuer).hostname, ...(await people.listApplicationNames())]);
  const allowLoopback = config.issuer.startsWith("http:"); // settings allow http on loopback only
  const outbound = createOutbound({ allowLoopback });
  const privateOutbound = createOutbound({ allowLoopback, allowPrivateNetwork: true });

  const providerRequests = createProviderRequests(outbound.fetchBytes);

  const stats = createStats(background, {
    now,
    onError: (error) => log.error({ err: error }, "the counts for charts could not be stored"),
  });

  const presentation = {
    get product() {
      return settings.productName;
    },
    get colour() {
      return settings.brand.colour;
    },
    get links() {
      const { termsUrl: terms, privacyUrl: privacy, supportUrl: support } = settings.brand;
      return { terms, privacy, support };
    },
    issuer: config.issuer,
  };
  const mail = createMail(settings.mail, { database, background, presentation, now, random, seal, log, print });

  const isBreached = createBreachCheck(settings.passwords.breaches, {
    fetchBytes: outbound.fetchBytes,
    onError: (error) => log.warn({ err: error }, "the breached-password check failed"),
  });

  const live = createLiveSettings(settings, {
    handle: background,
    log,
    async apply() {
      deps.config = settings.config;
      deps.accounts = settings.accounts;
      await ensureBuiltInClients(settings, deps);
    },
  });

  const deps: OperationDeps = {
    config,
    settings: live,
    accounts: settings.accounts,
    people,
    mail: mail.composer,
    outbox: mail.outbox,
    store: createAuthStore(handle),
    policy: createRequestPolicy({ handle, now, config }),
    handle,
    reads,
    ...(background !== handle && { console: { handle: background, store: createAuthStore(background) } }),
    now,
    random,
    seal,
    ...outbound,
    providerRequests,
    upstream: createUpstream({ outbound: { public: outbound.fetchBytes, private: privateOutbound.fetchBytes }, seal, config, now }),
    ...createLimits(database, now, mail.composer),
    hasher: createPasswordHasher({ concurrency: settings.passwords.hashConcurrency }),
    passwordRules: createPasswordRules({ leastCharacters: settings.passwords.leastCharacters, names, isBreached }),
    usage: stats.usage,
    writeHealth: stats.health,
    onError: (error, errorId) => log.error({ err: error, error_id: errorId }, "request failed"),
  };
  const webhooks: ReceiveDeps = {
    store: wakingAfterDelivery(createWebhookStore(handle, seal, now, stats), (queue) => worker.wake(queue)),
    isProbe: (headers) => isProbe(headers, deps),
    outbound: providerRequests,
    handlersFor: (event) => jobsOfEvent(handlers, event),
    baseUrl: config.issuer,
    now,
    nowMs: createPreciseClock(),
    random,
    report: (error) => log.error({ err: error }, "a delivery could not be stored"),
  };
  const running = { handle: background, now, log, request: createSendRequest(outbound.fetchBytes) };
  const apart = spawnHandlers && settings.handlers.place === "process" ? createProcessRunner(spawnHandlers, { log }) : undefined;
  const work: WorkDeps = {
    ...{ ...webhooks, ...running, deps, handlers, reads, count: stats.count, mail },
    runHandler: apart?.runHandler ?? ((handler, event, run) => runHandler(handler, event, run, running)),
  };
  const worker = createWorker({ handle: background, random, log, leaseSeconds: settings.jobLeaseSeconds }, queuesOf(work));
  async function close(): Promise<void> {
    live.stop();
    await apart?.close();
    await stats.stop().catch((error: unknown) => log.error({ err: error }, "the last counts for charts are lost"));
    await database.close();
  }
  return { settings, live, database, deps, webhooks, work, worker, stats, log, close };
}
