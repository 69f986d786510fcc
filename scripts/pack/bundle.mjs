import { join } from "node:path";
import { ROOT } from "../steps.mjs";
import { copyLibraries } from "./libraries.mjs";
import { readJson } from "./manifest.mjs";
import { buildPackage } from "./pack.mjs";
import { SCOPE } from "./scope.mjs";
import { SQLITE } from "./sqlite.mjs";

/**
 * Writes the package @gatehouse/server and its libraries into `folder`, in the versions of the lock file: the program
 * of the image and of the systemd units. It needs a build. OP-02, OP-03
 * @param {string} folder Absolute. What was in it is deleted.
 */
export async function bundle(folder) {
  await buildPackage("server", folder);
  const { dependencies } = readJson(join(folder, "package.json"));
  await copyLibraries({ names: Object.keys(dependencies), from: join(ROOT, "packages/server"), to: folder });
  await buildPackage(SQLITE, join(folder, "node_modules", SCOPE, SQLITE));
}
