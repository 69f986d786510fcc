// npm run lint: style, versions of dependencies, imports between packages, and dead code.
import { install, isNodeAtLeast } from "./steps.mjs";
import { together } from "./together.mjs";

const BIOME = "biome check .";

await install();
if (isNodeAtLeast(20, 19)) {
  await together([BIOME, "sherif", "depcruise packages apps examples e2e", "knip"]);
} else {
  await together([BIOME]);
  console.log("Skipped: the checks of versions, imports and dead code need Node 20.19.");
}
