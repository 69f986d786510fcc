// npm run typecheck: every source, in two programs. Each has one thread, because a second thread of a program repeats
// work of the first.
import { install } from "./steps.mjs";
import { together } from "./together.mjs";

await install();
await together(["tsc -p tsconfig.json --checkers 1", "tsc -p tsconfig.browser.json --checkers 1"]);
