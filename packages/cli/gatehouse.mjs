// The command line from the repository's root, in one process, so that a package manager has nothing to add to what it says.
import { register } from "tsx/esm/api";

register();
await import("./src/main.ts");
