import { type ChildProcess, spawn } from "node:child_process";

export { freePort } from "@gatehouse/db/testing/ports";

export type Running = {
  child: ChildProcess;
  /** The end of what it has printed. */
  output: () => string;
  /** All of what it prints from now on. */
  watchOutput: () => () => string;
  /** Sends SIGTERM and waits for the exit. */
  stop: () => Promise<void>;
  /** Sends SIGKILL, like a power cut, and waits for the exit. */
  crash: () => Promise<void>;
};

/** Starts a command in its own process group, so that stopping it stops its children too. */
export function launch(
  command: string,
  args: string[],
  options: { cwd: string; env: Record<string, string> },
): Running {
  const child = spawn(command, args, {
    cwd: options.cwd,
    env: { ...process.env, ...options.env },
    detached: true,
    stdio: "pipe",
  });
  let said = "";
  const listen = (chunk: Buffer) => {
    said = (said + chunk.toString()).slice(-20_000);
  };
  child.stdout.on("data", listen);
  child.stderr.on("data", listen);
  const watchOutput = () => {
    let all = "";
    for (const stream of [child.stdout, child.stderr])
      stream.on("data", (chunk: Buffer) => {
        all += chunk.toString();
      });
    return () => all;
  };
  return {
    child,
    output: () => said,
    watchOutput,
    stop: () => end(child, "SIGTERM"),
    crash: () => end(child, "SIGKILL"),
  };
}

/** Sends a signal to the group, and SIGKILL after ten seconds. */
async function end(child: ChildProcess, first: NodeJS.Signals): Promise<void> {
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
  const group = -child.pid;
  const gone = new Promise<void>((resolve) => child.once("exit", () => resolve()));
  signal(group, first);
  const deadline = setTimeout(() => signal(group, "SIGKILL"), 10_000);
  await gone;
  clearTimeout(deadline);
}

function signal(group: number, name: NodeJS.Signals): void {
  try {
    process.kill(group, name);
  } catch {
    // The group has ended already.
  }
}

/** Polls `url` until it answers 2xx; throws with the server's output when it exits or never answers. */
export async function untilReady(url: string, server: Running, seconds = 60): Promise<void> {
  const deadline = Date.now() + seconds * 1000;
  while (Date.now() < deadline) {
    if (server.child.exitCode !== null)
      throw new Error(`the server ended with ${server.child.exitCode}:\n${server.output()}`);
    const ready = await fetch(url, { redirect: "manual" }).then(
      (response) => response.status < 400,
      () => false,
    );
    if (ready) return;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error(`nothing ready at ${url} after ${seconds} s:\n${server.output()}`);
}
