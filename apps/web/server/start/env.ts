import { readSettings, type Settings } from "@gatehouse/installation";
import type { Patience } from "@gatehouse/runtime/drain";
import { loadEnvFile } from "@gatehouse/runtime/env-file";
import { isLoopbackUrl } from "@gatehouse/runtime/loopback";
import { withSecretFiles } from "@gatehouse/runtime/secret-files";
import { readPatience } from "@gatehouse/runtime/stop";
import type { Secrets } from "./secrets.ts";

/** How this process serves. Nothing of it changes before the process ends; the log level of now is that of `App.log`. */
export type Env = Pick<Settings, "adminUrl" | "port" | "traces"> &
  Settings["process"] & {
    issuer: string;
    /** How long the server keeps serving after it was asked to stop. */
    patience: Patience;
    /** Development: started by dev.ts, which builds it again when something changes. */
    dev: boolean;
  };

/** The whole environment of the web server. `settings` are those of the start: `App.settings` has those in force. */
export type StartEnv = Env & { settings: Settings };

/**
 * Reads the environment. Throws one error that names every invalid variable. An http issuer must be on loopback
 * (SE-01).
 */
export function readEnv(variables: Record<string, string | undefined>, workingDirectory: string): StartEnv {
  const settings = readSettings(variables, workingDirectory);
  const { adminUrl, port, config, traces } = settings;
  return {
    settings,
    adminUrl,
    port,
    traces,
    issuer: config.issuer,
    ...settings.process,
    patience: readPatience(variables, { onLoopback: isLoopbackUrl(config.issuer) }),
    dev: variables["NODE_ENV"] === "development",
  };
}

/**
 * The environment of this process, with the file `.env` and the files of secrets.
 * @param secrets Of the server that started this process; instead of the files.
 */
export function processEnv(secrets?: Secrets): StartEnv {
  loadEnvFile(process.env, process.cwd());
  const variables = secrets ? { ...process.env, ...secrets } : withSecretFiles(process.env, process.cwd());
  return readEnv(variables, process.cwd());
}

/** The environment of a process that the server starts. It has the variables of `.env`, and must not read it again. OP-17 */
export const inheritedVariables = () => ({ ...process.env, GATEHOUSE_ENV_FILE: "off" });

/** Processes that this one starts from now on have this log level. OP-17 */
export function passOnLogLevel(level: string): void {
  process.env["LOG_LEVEL"] = level;
}
