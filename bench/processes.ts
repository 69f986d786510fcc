import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync } from "node:fs";
import { availableParallelism, tmpdir } from "node:os";
import { join, resolve } from "node:path";
import type { Mintable, Running } from "./subject.ts";

export const BENCH = import.meta.dirname;
export const ROOT = resolve(BENCH, "..");

/** With two or more cores, the server runs on the first and the load generator on the second. */
export const SERVER_CORE = 0;
const LOAD_CORE = 1;
export const canPin = availableParallelism() > 1 && spawnSync("taskset", ["--version"]).status === 0;

const onCore = (core: number, command: readonly string[]) =>
  canPin ? ["taskset", "-c", String(core), ...command] : command;

/** The command, on the core of the load. */
export const onLoadCore = (command: readonly string[]) => onCore(LOAD_CORE, command);

type Options = { cwd?: string; env?: Record<string, string>; log?: string; ipc?: boolean };
export type Started = { child: ChildProcess; pid: number; stop: () => Promise<void> };

/** Starts a command on one core. Its output goes to a file, so that the load generator need not read it. */
export function startPinned(
  core: number,
  command: readonly string[],
  { cwd = BENCH, env = {}, log, ipc = false }: Options = {},
): Started {
  const [program = "", ...args] = onCore(core, command);
  const output = openSync(log ?? "/dev/null", "w");
  const child = spawn(program, args, {
    cwd,
    env: { ...process.env, NODE_ENV: "production", ...env },
    stdio: ["ignore", output, output, ...(ipc ? (["ipc"] as const) : [])],
  });
  closeSync(output);
  if (child.pid === undefined) throw new Error(`cannot start ${program}`);
  const gone = new Promise<void>((settle) => child.once("exit", () => settle()));
  const killWithUs = () => child.kill("SIGKILL");
  process.once("exit", killWithUs);
  return {
    child,
    pid: child.pid,
    async stop() {
      child.kill("SIGTERM");
      const late = setTimeout(() => child.kill("SIGKILL"), 10_000);
      await gone;
      clearTimeout(late);
      process.off("exit", killWithUs);
    },
  };
}

/** A temporary folder; `remove` deletes it, and so does the exit of this process. */
export function temporaryFolder(name: string): { folder: string; remove: () => void } {
  const folder = mkdtempSync(join(tmpdir(), `gatehouse-bench-${name}-`));
  const remove = () => {
    process.off("exit", remove);
    rmSync(folder, { recursive: true, force: true });
  };
  process.once("exit", remove);
  return { folder, remove };
}

/** A server sends its port once, and a response to each request for values. */
export type Told = { port: number; minted: string[] };
export type Ask = { mint: Mintable; count: number };

/** Starts one of the servers in `servers/`. It sends its port when it listens, and mints values on request. */
export async function startServer(name: string, core: number): Promise<Running> {
  const { folder, remove } = temporaryFolder(name);
  const log = join(folder, "server.log");
  const began = performance.now();
  const command = [process.execPath, "--import", "tsx", `servers/${name}.ts`, join(folder, "bench.db")];
  const server = startPinned(core, command, { log, ipc: true });

  const told = () =>
    new Promise<Told>((settle, reject) => {
      const ended = () => reject(new Error(`${name} ended:\n${readFileSync(log, "utf8").slice(-2000)}`));
      server.child.once("exit", ended);
      server.child.once("message", (message: Told) => {
        server.child.off("exit", ended);
        settle(message);
      });
    });

  const { port } = await told();
  return {
    pid: server.pid,
    port,
    startedInMs: performance.now() - began,
    async mint(mint, count) {
      const answer = told();
      server.child.send({ mint, count } satisfies Ask);
      return (await answer).minted;
    },
    async stop() {
      await server.stop();
      remove();
    },
  };
}
