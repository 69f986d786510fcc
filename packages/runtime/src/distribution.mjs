// How this copy of Gatehouse was distributed: here, a clone. The bundles of the published package have
// packages/server/src/distribution.ts in place of this file.
import { existsSync } from "node:fs";
import { dirname, join } from "node:path";

export const COMMAND = "npm run gatehouse --";
export const START = "npm start";
export const ENV_FILE = ".env";
export const MIGRATIONS = undefined;

export function rootFolder(start) {
  for (let folder = start; ; folder = dirname(folder)) {
    if (existsSync(join(folder, "pnpm-workspace.yaml"))) return folder;
    if (dirname(folder) === folder) return start;
  }
}
