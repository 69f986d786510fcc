import { resolve } from "node:path";
import { databasePlace, readSettings, type Settings } from "@gatehouse/installation";
import { loadEnvFile } from "@gatehouse/runtime/env-file";
import { withSecretFiles } from "@gatehouse/runtime/secret-files";
import { confirmDatabase } from "./database-place.ts";

/** Adds the file `.env` to the environment. */
export function loadEnvironment(): void {
  loadEnvFile(process.env, process.cwd());
}

/** The path of the file `.env`; undefined without one. */
export const envFile = () => loadEnvFile({ ...process.env }, process.cwd());

/**
 * Runs before every command that needs a database: adds the file `.env` to the environment, and prints which database
 * it works on. Throws an error if that would be a new database that nobody asked for; see `confirmDatabase`.
 */
export async function chooseDatabase(create: boolean): Promise<void> {
  loadEnvironment();
  await confirmDatabase(databasePlace(variables(), process.cwd()), create);
}

/** The settings of the installation. Throws one error that names every variable that is wrong. */
export function settings(): Settings {
  return readSettings(variables(), process.cwd());
}

/** The settings of an installation that does not exist yet. Its secret is none, so that looking generates none. */
export const settingsOfNew = (): Settings =>
  readSettings({ ...variables(), GATEHOUSE_SECRET: "0".repeat(32) }, process.cwd());

/** The environment, with the file `.env`. */
export const environment = (): Readonly<Record<string, string | undefined>> => process.env;

/** The environment with the files of secrets. */
export const variables = () => withSecretFiles(process.env, process.cwd());

/** The value of an environment variable that the caller named; empty when it is not set. */
export function variable(name: string): string {
  return process.env[name] ?? "";
}

/**
 * A path relative to where the caller typed it: package managers change the working directory and keep the original in
 * INIT_CWD.
 */
export function pathFromCaller(path: string): string {
  return resolve(process.env["INIT_CWD"] ?? process.cwd(), path);
}
