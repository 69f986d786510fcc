import { readFileSync } from "node:fs";

/** Of this package, whose package.json is one folder above, and of the sdk that goes with it. */
export const VERSION: string = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8")).version;
