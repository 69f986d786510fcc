import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { connect } from "node:net";

const LOOK_EVERY_MS = 20;
/** How long a program may take to end. */
const END_WITHIN_MS = 5_000;

/** Rejects what waits for a program that has ended. */
export class Ended extends Error {
  readonly exitCode: number;

  constructor(exitCode: number) {
    super(`it ended with exit code ${exitCode}`);
    this.exitCode = exitCode;
  }
}

export type Program = {
  child: ChildProcess;
  /** Rejects when it has ended. */
  ended: Promise<never>;
  /** Resolves to its exit code. */
  end(signal: NodeJS.Signals): Promise<number>;
};

type Address = { host: string; port: number };

/** Starts a bundle, with source maps. It ends with this process. */
export function startProgram(file: string, args: string[], env: NodeJS.ProcessEnv): Program {
  const child = fork(file, args, {
    env,
    execArgv: ["--enable-source-maps"],
    stdio: ["ignore", "inherit", "inherit", "ipc"],
  });
  const exit = once(child, "exit").then(([code, signal]): number => code ?? (signal === "SIGTERM" ? 0 : 1));
  const ended = exit.then((code) => Promise.reject(new Ended(code)));
  ended.catch(() => {}); // nobody may be waiting
  return {
    child,
    ended,
    async end(signal) {
      child.kill(signal);
      const late = setTimeout(() => child.kill("SIGKILL"), END_WITHIN_MS);
      const code = await exit;
      clearTimeout(late);
      return code;
    },
  };
}

/** Resolves when something accepts connections there. */
export async function accepts(address: Address, signal: AbortSignal): Promise<void> {
  while (!signal.aborted && !(await isOpen(address)))
    await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS));
}

function isOpen(address: Address): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(address, () => {
      socket.destroy();
      resolve(true);
    }).once("error", () => resolve(false));
  });
}
