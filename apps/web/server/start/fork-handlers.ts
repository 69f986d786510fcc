import type { ChildProcess } from "node:child_process";
import type { StartEnv } from "./env.ts";
import { forkBundle } from "./fork-bundle.ts";

/**
 * Of the memory that the process of the handlers may use, what is left to V8's heap; the rest is buffers, code and
 * stacks.
 */
const HEAP_SHARE = 0.75;

/** Starts the process in which webhook handlers run. */
export function forkHandlers(env: Pick<StartEnv, "settings">): ChildProcess {
  const heap = `--max-old-space-size=${Math.floor(env.settings.handlers.memoryMb * HEAP_SHARE)}`;
  return forkBundle("handlers.mjs", env, { execArgv: [heap, "--max-semi-space-size=4"] });
}
