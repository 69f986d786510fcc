import type { ChildProcess } from "node:child_process";
import cluster from "node:cluster";
import { settingNames } from "@gatehouse/installation";
import { reloadCertificates } from "@gatehouse/runtime/tls";
import { changedVariables } from "@gatehouse/runtime/variables";
import type { Logger } from "pino";
import { passOnLogLevel, readEnv } from "./env.ts";

/** What the first process tells the others. The level is one of the checked values of LOG_LEVEL. */
type Reload = { gatehouseReload: { logLevel: string } };

type Variables = Record<string, string | undefined>;

/** Processes that this one started and that are no workers. */
const children = new Set<ChildProcess>();

/** The process is told of reloads until it ends. OP-17 */
export function tellOfReloads(child: ChildProcess): ChildProcess {
  children.add(child);
  return child.once("exit", () => children.delete(child));
}

/**
 * In the first process: uses the certificate and the log level of now, here and in the processes that it started, and
 * logs the names of the other variables that changed. Values that are wrong are logged, and those before stay. OP-17
 * @param atStart The variables that this process runs with.
 */
export function reload(atStart: Variables, readNow: () => Variables, log: Logger): void {
  let logLevel = log.level;
  try {
    const now = readNow();
    ({ logLevel } = readEnv(now, process.cwd()));
    const names = changedVariables(atStart, now, RESTART_NAMES);
    log.info({ logLevel }, "the settings were read again");
    if (names.length > 0) log.warn({ variables: names }, "these variables changed, which needs a restart");
  } catch (error) {
    log.error({ err: error }, "the settings cannot be used, and those before stay");
  }
  follow({ gatehouseReload: { logLevel } }, log);
}

/** In the other processes: does what the first one says. Signals are left to it. OP-17 */
export function followReloads(log: Logger): void {
  process.on("message", (message) => {
    if (isReload(message)) follow(message, log);
  });
}

function follow(message: Reload, log: Logger): void {
  log.level = message.gatehouseReload.logLevel;
  passOnLogLevel(log.level);
  reloadCertificates();
  for (const worker of Object.values(cluster.workers ?? {})) if (worker?.isConnected()) worker.send(message);
  for (const child of children) if (child.connected) child.send(message);
}

const RESTART_NAMES = settingNames.filter((name) => name !== "LOG_LEVEL");

const isReload = (message: unknown): message is Reload =>
  typeof message === "object" && message !== null && "gatehouseReload" in message;
