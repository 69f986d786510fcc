// npm run typecheck: every source, in two programs. Each has one thread, because a second thread of a program repeats work of the first.
import { together } from "./together.mjs";

await together(["tsc -p tsconfig.json --checkers 1", "tsc -p tsconfig.browser.json --checkers 1"]);
