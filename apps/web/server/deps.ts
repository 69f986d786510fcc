import { type ApiDeps, bootstrap, CONSOLE_CLIENT_ID } from "@gatehouse/api";
import { createOutbound, createSeal, createThrottle, type Deps, maintainKeys, sendLogoutNotices } from "@gatehouse/auth";
import { createAuthStore, createRateLimiter, createWebhookStore, type Database, openDatabase, sweep } from "@gatehouse/db";
import type { ReceiveDeps } from "@gatehouse/webhooks";
import type { Logger } from "pino";
import { createAttempts } from "./attempts.ts";
import { type Env, processEnv } from "./env.ts";
import { createLog } from "./log.ts";
import { createRandom } from "./random.ts";

/** Everything a handler may touch, put together once. */
export type App = {
  env: Env;
  deps: ApiDeps;
  webhooks: ReceiveDeps;
  attempts: ReturnType<typeof createAttempts>;
  consoleClientId: string;
  log: Logger;
  database: Pick<Database, "deferCheckpoints">;
  /** Stops the timers and closes the database. */
  close(): Promise<void>;
};

const SWEEP_EVERY_MS = 10 * 60 * 1000;
/** So long may a client wait at most to hear of a sign-out, besides the network. */
const NOTICES_EVERY_MS = 2000;

/** The framework loads this module several times over; the app is one all the same. */
const process_ = globalThis as { gatehouse?: Promise<App> };

/** The app, started by whoever asks first. Of several processes started together, one prepares the database for all of them. */
export function startApp(role: "first" | "worker" = "first"): Promise<App> {
  process_.gatehouse ??= start(processEnv(), role);
  return process_.gatehouse;
}

async function start(env: Env, role: "first" | "worker"): Promise<App> {
  const log = createLog(env.logLevel);
  const database = await openDatabase(env.databaseUrl);
  const deps = compose(env, database, log);
  const { handle, now, random, seal } = deps;
  const timers = role === "first" ? await prepare(env, database, deps, log) : [];

  return {
    env,
    deps,
    webhooks: {
      store: createWebhookStore(handle, seal, now),
      now,
      nowMs: () => performance.timeOrigin + performance.now(),
      random,
      report: (error) => log.error({ err: error }, "a delivery could not be stored"),
    },
    attempts: createAttempts(database),
    consoleClientId: CONSOLE_CLIENT_ID,
    log,
    database,
    async close() {
      for (const timer of timers) clearInterval(timer);
      await database.close();
      log.flush();
    },
  };
}

/** Migrates, makes the console's client and the first admin, and begins what has to be done from time to time. */
async function prepare(env: Env, database: Database, deps: ApiDeps, log: Logger): Promise<NodeJS.Timeout[]> {
  await database.migrate();
  const { firstAdmin } = await bootstrap(env, deps);
  if (firstAdmin?.generated) announce(firstAdmin);

  const attempt = (work: Promise<unknown>, failure: string) => work.catch((error: unknown) => log.error({ err: error }, failure));
  const maintain = () => attempt(maintainKeys(deps), "the signing keys could not be looked after");
  maintain(); // not waited for: whoever needs a key first makes it
  return [
    setInterval(() => attempt(sweep(deps.handle, deps.now()), "sweeping failed"), SWEEP_EVERY_MS).unref(),
    setInterval(maintain, SWEEP_EVERY_MS).unref(),
    setInterval(() => attempt(sendLogoutNotices(deps), "logout notices could not be sent"), NOTICES_EVERY_MS).unref(),
  ];
}

/** Secrets have 256 bits: this is against the noise of guessing, not against its success. */
const CLIENT_SECRET_LIMIT = { name: "client secret by client and address", failures: 60, windowSeconds: 60 };

/** What one address may make us do in an hour; generous, since many people share one. DC-06, CI-10. */
const STRANGER_LIMITS = {
  registration: { name: "registration by address", failures: 60, windowSeconds: 3600 },
  "client document": { name: "client document by address", failures: 120, windowSeconds: 3600 },
};

function createQuota(database: Database): NonNullable<Deps["quota"]> {
  const registration = createRateLimiter(database, STRANGER_LIMITS.registration);
  const document = createRateLimiter(database, STRANGER_LIMITS["client document"]);
  return (of, address) => (of === "registration" ? registration : document).attempt(address);
}

function compose(env: Env, database: Database, log: Logger): ApiDeps {
  const { handle } = database;
  const random = createRandom();
  const now = () => Math.floor(Date.now() / 1000);
  return {
    config: env.config,
    store: createAuthStore(handle),
    handle,
    now,
    random,
    seal: createSeal(env.secret, random),
    ...createOutbound({ allowLoopback: env.issuer.startsWith("http:") }), // http issuers are on loopback, or we would not have started
    quota: createQuota(database),
    throttle: createThrottle(createRateLimiter(database, CLIENT_SECRET_LIMIT), now),
    onError: (error, errorId) => log.error({ err: error, errorId }, "request failed"),
  };
}

/** Once, to the terminal and not to the log: the password is stored nowhere. */
function announce({ email, password }: { email: string; password: string }): void {
  process.stdout.write(`\n  The first admin, shown this once:\n    Email     ${email}\n    Password  ${password}\n\n`);
}
