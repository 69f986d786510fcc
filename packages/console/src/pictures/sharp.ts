import { createRequire } from "node:module";
import type Sharp from "sharp";

const require = createRequire(import.meta.url);

/** All that sharp may decode, whatever the first bytes of a file say. */
const LOADERS = ["VipsForeignLoadPngBuffer", "VipsForeignLoadJpegBuffer", "VipsForeignLoadWebpBuffer"];

let loaded: ReturnType<typeof load> | undefined;

/** Loads sharp with the first picture: a server that gets none needs neither its memory nor its time. */
export function loadSharp(): typeof Sharp {
  loaded ??= load();
  return loaded;
}

/** Not with `import()`: under `next start` that does not follow pnpm's link, and then sharp misses its own packages. */
function load() {
  const sharp: typeof Sharp = require("sharp");
  sharp.cache(false);
  sharp.concurrency(1);
  sharp.block({ operation: ["VipsForeignLoad"] });
  sharp.unblock({ operation: LOADERS });
  return sharp;
}
