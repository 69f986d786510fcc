import { existsSync, readFileSync, statSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import dotenv from "dotenv";

export function loadEnvFile(variables, workingDirectory) {
  variables.__NEXT_PROCESSED_ENV = "true"; // Next's own flag: without it Next would load the .env files in the app's folder
  const named = variables.GATEHOUSE_ENV_FILE;
  if (named === "off") return undefined;
  const file = resolve(repositoryRoot(workingDirectory), named || ".env");
  if (!statSync(file, { throwIfNoEntry: false })?.isFile()) {
    if (named) throw new Error(`GATEHOUSE_ENV_FILE names ${file}, which does not exist`);
    return undefined;
  }
  for (const [name, value] of Object.entries(dotenv.parse(readFileSync(file)))) variables[name] ??= value;
  return file;
}

export function repositoryRoot(start) {
  for (let folder = start; ; folder = dirname(folder)) {
    if (existsSync(join(folder, "pnpm-workspace.yaml"))) return folder;
    if (dirname(folder) === folder) return start;
  }
}
