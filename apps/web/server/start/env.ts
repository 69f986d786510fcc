import { readSettings, type Settings } from "@gatehouse/installation";
import type { Patience } from "@gatehouse/runtime/drain";
import { loadEnvFile } from "@gatehouse/runtime/env-file";
import { isLoopbackUrl, LOOPBACK_ADDRESSES } from "@gatehouse/runtime/loopback";
import { readPatience } from "@gatehouse/runtime/stop";
import { z } from "zod";

/** How this process serves. Nothing of it changes before the process ends. */
export type Env = Pick<Settings, "adminUrl"> & {
  issuer: string;
  port: number;
  /** Addresses to listen on: loopback only if the issuer is on loopback, otherwise all. */
  hosts: readonly string[];
  /** A trusted proxy adds the caller's address to X-Forwarded-For. */
  trustProxy: boolean;
  /** The number of serving processes. */
  workers: number;
  logLevel: (typeof LOG_LEVELS)[number];
  /** How long the server keeps serving after it was asked to stop. */
  patience: Patience;
  /** Development: started by dev.ts, which builds it again when something changes. */
  dev: boolean;
};

/** The whole environment of the web server. `settings` are those of the start: `App.settings` has those in force. */
export type StartEnv = Env & { settings: Settings };

const LOG_LEVELS = ["fatal", "error", "warn", "info", "debug", "trace", "silent"] as const;

const schema = z.object({
  PORT: z.coerce.number("must be a port number").int().min(0).max(65_535).default(3000),
  HOST: z.string().optional(),
  GATEHOUSE_TRUST_PROXY: z.enum(["0", "1"], "must be 0 or 1").default("0"),
  WEB_CONCURRENCY: z.coerce.number("must be a number of processes").int().min(1).max(128).default(1),
  LOG_LEVEL: z.enum(LOG_LEVELS, `must be one of ${LOG_LEVELS.join(", ")}`).default("info"),
  NODE_ENV: z.string().optional(),
});

/**
 * Reads the environment. Throws one error that names every invalid variable. An http issuer must be on loopback
 * (SE-01).
 */
export function readEnv(variables: Record<string, string | undefined>, workingDirectory: string): StartEnv {
  const given = Object.fromEntries(Object.entries(variables).filter(([, value]) => value !== ""));
  const parsed = schema.safeParse(given);
  if (!parsed.success)
    throw new Error(parsed.error.issues.map(({ path, message }) => `${path.join(".")} ${message}`).join("; "));
  const settings = readSettings(variables, workingDirectory);
  const { issuer } = settings.config;
  return {
    settings,
    adminUrl: settings.adminUrl,
    issuer,
    port: parsed.data.PORT,
    hosts: parsed.data.HOST === undefined ? defaultHosts(issuer) : [parsed.data.HOST],
    trustProxy: parsed.data.GATEHOUSE_TRUST_PROXY === "1",
    workers: parsed.data.WEB_CONCURRENCY,
    logLevel: parsed.data.LOG_LEVEL,
    patience: readPatience(variables, { onLoopback: isLoopbackUrl(issuer) }),
    dev: parsed.data.NODE_ENV === "development",
  };
}

/** Both loopback addresses, since `localhost` can mean either. */
function defaultHosts(issuer: string): readonly string[] {
  return isLoopbackUrl(issuer) ? LOOPBACK_ADDRESSES : ["0.0.0.0"];
}

/** The environment of this process, with the file `.env`. */
export function processEnv(): StartEnv {
  loadEnvFile(process.env, process.cwd());
  return readEnv(process.env, process.cwd());
}
