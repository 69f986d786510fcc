import { readFileSync, statSync } from "node:fs";
import { resolve } from "node:path";
import { ENV_FILE, rootFolder } from "@gatehouse/runtime/distribution";
import dotenv from "dotenv";

export function loadEnvFile(variables, workingDirectory) {
  variables.__NEXT_PROCESSED_ENV = "true"; // Next's own flag: without it Next would load the .env files in the app's folder
  const { file, values } = readEnvFile(variables, workingDirectory);
  for (const [name, value] of Object.entries(values)) variables[name] ??= value;
  return file;
}

export function readEnvFile(variables, workingDirectory) {
  const named = variables.GATEHOUSE_ENV_FILE;
  if (named === "off") return { values: {} };
  const name = named || ENV_FILE;
  if (name === undefined) return { values: {} };
  const file = resolve(rootFolder(workingDirectory), name);
  if (!statSync(file, { throwIfNoEntry: false })?.isFile()) {
    if (named) throw new Error(`GATEHOUSE_ENV_FILE names ${file}, which does not exist`);
    return { values: {} };
  }
  return { file, values: parseEnv(readFileSync(file, "utf8")) };
}

export function parseEnv(text) {
  return dotenv.parse(text);
}
