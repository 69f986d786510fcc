import { type ChildProcess, fork } from "node:child_process";
import { fileURLToPath } from "node:url";
import type { StartEnv } from "./env.ts";
import { tellOfReloads } from "./reload.ts";

/**
 * Of the memory that the process of the handlers may use, what is left to V8's heap; the rest is buffers, code and
 * stacks.
 */
const HEAP_SHARE = 0.75;

/** Starts the process in which webhook handlers run. It logs to the server's output. */
export function forkHandlers({ settings: { handlers } }: Pick<StartEnv, "settings">): ChildProcess {
  const heap = `--max-old-space-size=${Math.floor(handlers.memoryMb * HEAP_SHARE)}`;
  const program = fileURLToPath(new URL("./handlers.mjs", import.meta.url)); // bundled beside this code
  return tellOfReloads(
    fork(program, {
      execArgv: [heap, "--max-semi-space-size=4"],
      stdio: ["ignore", "inherit", "inherit", "ipc"],
    }),
  );
}
