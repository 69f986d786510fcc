import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { errorPage } from "./src/errors/page.ts";

writeFileSync(join(import.meta.dirname, "../../docs/errors.md"), errorPage());
