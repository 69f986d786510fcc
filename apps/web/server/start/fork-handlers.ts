import { type ChildProcess, fork } from "node:child_process";
import { fileURLToPath } from "node:url";
import type { StartEnv } from "./env.ts";

/**
 * Of the memory that the process of the handlers may use, what is left to V8's heap; the rest is buffers, code and
 * stacks.
 */
const HEAP_SHARE = 0.75;

/** Starts the process in which webhook handlers run. It logs to the server's output. */
export function forkHandlers({ dev, settings: { handlers } }: Pick<StartEnv, "dev" | "settings">): ChildProcess {
  const heap = `--max-old-space-size=${Math.floor(handlers.memoryMb * HEAP_SHARE)}`;
  // The bundles that have this code are in dist/, beside that of the other process.
  const program = new URL(dev ? "../../handlers.ts" : "./handlers.mjs", import.meta.url);
  const execArgv = [heap, ...(dev ? ["--import", "tsx"] : ["--max-semi-space-size=4"])];
  return fork(fileURLToPath(program), { execArgv, stdio: ["ignore", "inherit", "inherit", "ipc"] });
}
