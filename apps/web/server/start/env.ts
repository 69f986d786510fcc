import { readSettings, type Settings } from "@gatehouse/installation";
import type { Patience } from "@gatehouse/runtime/drain";
import { loadEnvFile } from "@gatehouse/runtime/env-file";
import { isLoopbackUrl } from "@gatehouse/runtime/loopback";
import { SECRET_VARIABLES, withSecretFiles } from "@gatehouse/runtime/secret-files";
import { readPatience } from "@gatehouse/runtime/stop";

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
 * @param secrets Of the first process of the server; instead of the files.
 */
export function processEnv(secrets?: Readonly<Record<string, string>>): StartEnv {
  loadEnvFile(process.env, process.cwd());
  const variables = secrets ? { ...process.env, ...secrets } : withSecretFiles(process.env, process.cwd());
  return readEnv(variables, process.cwd());
}

/** Those of the variables whose value a file has. */
export function secretsFromFiles(variables: Record<string, string | undefined>): Record<string, string> {
  const named = SECRET_VARIABLES.filter((name) => variables[`${name}_FILE`]);
  return Object.fromEntries(named.map((name) => [name, variables[name] ?? ""]));
}

/** Processes that this one starts from now on have this log level. OP-17 */
export function passOnLogLevel(level: string): void {
  process.env["LOG_LEVEL"] = level;
}
