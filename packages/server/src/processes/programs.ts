import { type ChildProcess, spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import { threadPoolSize } from "@gatehouse/runtime/threads";

/** A program of this package, with the flags of Node that it runs with. */
export type Program = { name: string; flags: readonly string[]; file: string };

/** The bundles lie in `dist`, beside this code, and in `console`. */
const at = (path: string) => fileURLToPath(new URL(path, import.meta.url));

export const SERVER: Program = {
  name: "server",
  flags: ["--min-semi-space-size=4", "--max-semi-space-size=4"],
  file: at("./server.mjs"),
};
export const CONSOLE: Program = { name: "console", flags: [], file: at("../console/start.mjs") };

/**
 * Starts a program, with a thread pool of its size (OP-32). It stops when this process is killed, because the IPC channel closes.
 * @param output Where its standard output goes: to this process's, or into a pipe.
 */
export function start(
  { flags, file }: Program,
  env: Readonly<Record<string, string | undefined>>,
  output: "inherit" | "pipe" = "inherit",
): ChildProcess {
  return spawn(process.execPath, [...flags, file], {
    stdio: ["ignore", output, "inherit", "ipc"],
    env: { ...env, NODE_ENV: "production", UV_THREADPOOL_SIZE: env["UV_THREADPOOL_SIZE"] || String(threadPoolSize()) },
  });
}
