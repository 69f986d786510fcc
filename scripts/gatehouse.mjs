// npm run gatehouse: runs the bundled command line while it is up to date, and the sources otherwise, so that it needs no build.
import { resolve } from "node:path";
import { isBuilt } from "./freshness.mjs";

if (isBuilt(resolve(import.meta.dirname, ".."))) await import("../packages/cli/dist/main.mjs");
else {
  const { register } = await import("tsx/esm/api");
  register();
  await import("../packages/cli/src/bin.ts");
}
