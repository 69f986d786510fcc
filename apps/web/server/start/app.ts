import { createOutbound, createSeal, createThrottle, type Deps, maintainKeys, networkKey, sendLogoutNotices } from "@gatehouse/auth";
import { createAuthStore, createRateLimiter, createWebhookStore, type Database, openDatabase, sweep } from "@gatehouse/db";
import { assertSecretInForce, bootstrap, describeAdmin, findUnreadable } from "@gatehouse/installation";
import { type ApiDeps, CONSOLE_CLIENT_ID, findUnacceptedClients } from "@gatehouse/operations";
import type { ReceiveDeps } from "@gatehouse/webhooks";
import type { Logger } from "pino";
import { createAttempts } from "../pages/attempts.ts";
import { type Env, processEnv } from "./env.ts";
import { fitSchema } from "./fit-schema.ts";
import { createLog } from "./log.ts";
import { createPeriodic, type Periodic } from "./periodic.ts";
import { createRandom } from "./random.ts";

/** Everything a handler may touch, put together once. */
export type App = {
  env: Env;
  deps: ApiDeps;
  webhooks: ReceiveDeps;
  attempts: ReturnType<typeof createAttempts>;
  consoleClientId: string;
  log: Logger;
  database: Pick<Database, "deferCheckpoints" | "readOnThread">;
  /** What the process is doing: one that drains answers 503 at /readyz. */
  state: { draining: boolean };
  /** The process will stop: /readyz says so, and no periodic work begins any more. */
  beginDraining(): void;
  /** Waits for periodic work under way, closes the database and flushes the log. */
  close(): Promise<void>;
};

const SWEEP_EVERY_MS = 10 * 60 * 1000;
/** So long may a client wait at most to hear of a sign-out, besides the network. */
const NOTICES_EVERY_MS = 2000;

/** The framework loads this module several times over; the app is one all the same. */
const process_ = globalThis as { gatehouse?: Promise<App> };

type Role = "first" | "worker";
/** Called when the start has to wait for the database's schema; answers with what is called when it goes on. */
type OnWait = (env: Env) => Promise<() => Promise<void>>;

/** The app, started by whoever asks first. Of several processes started together, one prepares the database for all of them. */
export function startApp(role: Role = "first", onWait: OnWait = async () => async () => {}): Promise<App> {
  process_.gatehouse ??= start(processEnv(), role, onWait);
  return process_.gatehouse;
}

async function start(env: Env, role: Role, onWait: OnWait): Promise<App> {
  const log = createLog(env.logLevel);
  const database = await openDatabase(env.databaseUrl, { maxConnections: env.databasePool });
  const deps = compose(env, database, log);
  const { handle, now, random, seal } = deps;
  const state = { draining: false };
  const periodic = createPeriodic((error, failure) => log.error({ err: error }, failure));
  if (role === "first") {
    await fitSchema(database, { mode: env.migrate, log, onWait: () => onWait(env) });
    await prepare(env, database, deps, periodic, log);
  }

  return {
    env,
    deps,
    webhooks: {
      store: createWebhookStore(handle, seal, now),
      now,
      nowMs: () => performance.timeOrigin + performance.now(),
      random,
      senderKey: networkKey,
      report: (error) => log.error({ err: error }, "a delivery could not be stored"),
    },
    attempts: createAttempts(database),
    consoleClientId: CONSOLE_CLIENT_ID,
    log,
    database,
    state,
    beginDraining() {
      state.draining = true;
      periodic.stop();
    },
    async close() {
      periodic.stop();
      await periodic.settled();
      await database.close();
      log.flush();
    },
  };
}

/** Makes the console's client and the first admin, and begins what has to be done from time to time. */
async function prepare(env: Env, database: Database, deps: ApiDeps, periodic: Periodic, log: Logger): Promise<void> {
  await assertSecretInForce(deps);
  await reportUnreadable(deps, log);
  const announcement = describeAdmin(await bootstrap(env, deps));
  if (announcement) process.stdout.write(`${announcement}\n`); // not to the log: a password in it is stored nowhere

  const keys = [() => maintainKeys(deps), "the signing keys could not be looked after"] as const;
  periodic.run(...keys); // not waited for: the first request that needs a key makes it
  periodic.every(SWEEP_EVERY_MS, ...keys);
  periodic.every(SWEEP_EVERY_MS, () => sweep(database.background, deps.now()), "sweeping failed");
  periodic.every(NOTICES_EVERY_MS, () => sendLogoutNotices({ ...deps, ...deps.console }), "logout notices could not be sent");
  const warn = () => warnOfUnacceptedClients({ ...deps, handle: database.background }, log);
  periodic.run(warn, "clients that no API accepts could not be looked for");
}

/** After a change of GATEHOUSE_SECRET: deliveries of these webhook providers are refused until their secrets are given again. */
async function reportUnreadable(deps: ApiDeps, log: Logger): Promise<void> {
  const unreadable = await findUnreadable(deps);
  if (unreadable.signingKeys.length > 0)
    log.warn({ signingKeys: unreadable.signingKeys }, "signing keys cannot be decrypted; new ones take over");
  if (unreadable.webhookSecrets.length > 0)
    log.error(
      { webhookSecrets: unreadable.webhookSecrets },
      "webhook secrets cannot be decrypted with this GATEHOUSE_SECRET; give them again",
    );
}

/** More would hide everything else that the start says. */
const MOST_WARNINGS = 20;

/** Names in the log each client that is registered for an API which refuses its environment. D22. */
async function warnOfUnacceptedClients(deps: Pick<ApiDeps, "handle" | "config">, log: Logger): Promise<void> {
  const found = await findUnacceptedClients(deps, MOST_WARNINGS + 1);
  for (const { clientId, applicationName, environment, api, accepted } of found.slice(0, MOST_WARNINGS)) {
    const message = `${applicationName} (${clientId}) can never be accepted: it is a ${environment} client, and ${api} accepts ${accepted.join(", ")}`;
    log.warn({ clientId, environment, api, accepted }, message);
  }
  if (found.length > MOST_WARNINGS) log.warn(`more clients than these ${MOST_WARNINGS} can never be accepted`);
}

/** Secrets have 256 bits: this is against the noise of guessing, not against its success. */
const CLIENT_SECRET_LIMIT = { name: "client secret by client and address", failures: 60, windowSeconds: 60 };

/** What one caller may make us do in an hour; generous, since many people share one. DC-06, CI-10. */
const STRANGER_LIMITS = {
  registration: { name: "registration by address", failures: 60, windowSeconds: 3600 },
  "client document": { name: "client document by address", failures: 120, windowSeconds: 3600 },
};

/**
 * Pushed authorization requests in a minute. A client that an admin gave a secret pushes for all its users from one address; anybody
 * can act as any other. RFC 9126 §2.3.
 */
const PUSH_LIMITS = {
  client: { name: "pushed request by client and address", failures: 60, windowSeconds: 60 },
  trustedClient: { name: "pushed request by trusted client and address", failures: 3000, windowSeconds: 60 },
  network: { name: "pushed request by network", failures: 300, windowSeconds: 60 },
};

function createPushLimits(database: Database, now: Deps["now"]): NonNullable<Deps["pushLimits"]> {
  const limit = (name: keyof typeof PUSH_LIMITS) => createThrottle(createRateLimiter(database, PUSH_LIMITS[name]), now);
  return { client: limit("client"), trustedClient: limit("trustedClient"), network: limit("network") };
}

function createQuota(database: Database): NonNullable<Deps["quota"]> {
  const registration = createRateLimiter(database, STRANGER_LIMITS.registration);
  const document = createRateLimiter(database, STRANGER_LIMITS["client document"]);
  return (of, key) => (of === "registration" ? registration : document).attempt(key);
}

function compose(env: Env, database: Database, log: Logger): ApiDeps {
  const { handle, reads, background } = database;
  const random = createRandom();
  const now = () => Math.floor(Date.now() / 1000);
  return {
    config: env.config,
    store: createAuthStore(handle),
    handle,
    reads,
    ...(background !== handle && { console: { handle: background, store: createAuthStore(background) } }),
    now,
    random,
    seal: createSeal(env.secret, random),
    ...createOutbound({ allowLoopback: env.issuer.startsWith("http:") }), // http issuers are on loopback, or we would not have started
    quota: createQuota(database),
    throttle: createThrottle(createRateLimiter(database, CLIENT_SECRET_LIMIT), now),
    pushLimits: createPushLimits(database, now),
    onError: (error, errorId) => log.error({ err: error, error_id: errorId }, "request failed"),
  };
}
