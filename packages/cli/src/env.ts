import { resolve } from "node:path";
import { databasePlace, readSettings, type Settings } from "@gatehouse/installation";
import { loadEnvFile } from "@gatehouse/lifecycle/env-file";
import { confirmPlace } from "./place.ts";

/**
 * Comes before every command: adds the file `.env` to the environment, and says which database the command works on.
 * Throws an error if that would be a new one that nobody asked for; see `confirmPlace`.
 */
export async function choosePlace(create: boolean): Promise<void> {
  loadEnvFile(process.env, process.cwd());
  await confirmPlace(databasePlace(process.env, process.cwd()), create);
}

/** The installation this command works on. Throws one clear message when a variable is wrong. */
export function settings(): Settings {
  return readSettings(process.env, process.cwd());
}

/** A variable that the caller named; empty when it is not set. */
export function variable(name: string): string {
  return process.env[name] ?? "";
}

/** A path as the person typed it: package managers change the working directory and leave the original in INIT_CWD. */
export function pathFromCaller(path: string): string {
  return resolve(process.env["INIT_CWD"] ?? process.cwd(), path);
}
