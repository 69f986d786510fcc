// In the bundles of the published package, in place of packages/runtime/src/distribution.mjs.
import { createRequire } from "node:module";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const PACKAGE = fileURLToPath(new URL("..", import.meta.url));

/**
 * `npx gatehouse` only where this package is installed: elsewhere npx would fetch a package of that name, which is
 * somebody else's. PK-09
 */
export const COMMAND = isInstalledIn(process.cwd()) ? "npx gatehouse" : "npx @gatehouse/server";
export const START = `${COMMAND} all`;
/** A file `.env` where this package runs is that of the user's product, with a DATABASE_URL of its own. */
export const ENV_FILE = undefined;
/** */
export const MIGRATIONS = join(PACKAGE, "migrations");

export const rootFolder = () => process.cwd();

function isInstalledIn(folder: string): boolean {
  try {
    const manifest = createRequire(join(folder, "package.json")).resolve("@gatehouse/server/package.json");
    return manifest === join(PACKAGE, "package.json");
  } catch {
    return false;
  }
}
