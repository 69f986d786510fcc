// npm run typecheck: every source, in two programs, because the types of the DOM and of Node clash.
import { together } from "./together.mjs";

await together(["tsc --noEmit -p tsconfig.json"]);
