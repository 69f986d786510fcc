import { resolve } from "node:path";
import { readSettings, type Settings } from "@gatehouse/api";

/** The installation this command works on. Throws one clear message when a variable is wrong. */
export function settings(): Settings {
  return readSettings(process.env, process.cwd());
}

/** A path as the person typed it: package managers change the working directory and leave the original in INIT_CWD. */
export function pathFromCaller(path: string): string {
  return resolve(process.env["INIT_CWD"] ?? process.cwd(), path);
}
