// `npm run gatehouse`: the built command line while it is up to date, and its sources otherwise, so that it needs no build.
import { resolve } from "node:path";
import { isBuilt } from "../../scripts/freshness.mjs";

if (!isBuilt(resolve(import.meta.dirname, "../.."))) {
  const { register } = await import("tsx/esm/api");
  register();
  await import("./src/main.ts");
} else await import("./dist/main.mjs");
