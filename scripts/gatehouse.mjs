// npm run gatehouse: runs the bundled command line while it is up to date, and the sources otherwise, so that it needs
// no build.
import { createRequire } from "node:module";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { COMMAND_LINE, isBuilt } from "./freshness.mjs";
import { install } from "./steps/install.mjs";

const ROOT = resolve(import.meta.dirname, "..");
const FOLDER = join(ROOT, COMMAND_LINE.folder);

if (isBuilt(ROOT, COMMAND_LINE)) await import("../packages/cli/dist/main.mjs");
else {
  await install("run");
  await import(pathToFileURL(createRequire(join(FOLDER, "package.json")).resolve("tsx")).href);
  await import("../packages/cli/src/bin.ts");
}
