import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { onStop } from "@gatehouse/runtime/stop";

/**
 * Waits until the processes have ended. A signal to this process stops them all, and so does the end of one. Returns
 * the exit code of the one that ended first, or after a signal the worst.
 */
export async function untilTheyEnd(processes: readonly ChildProcess[]): Promise<number> {
  let stopping = false;
  const stop = () => {
    stopping = true;
    for (const one of processes) one.kill("SIGTERM");
  };
  onStop(stop);
  const codes = processes.map(async (one) => {
    const code = await exitOf(one);
    const first = !stopping;
    if (first) stop();
    return { code, first };
  });
  const ends = await Promise.all(codes);
  return ends.find(({ first }) => first)?.code ?? Math.max(...ends.map(({ code }) => code));
}

/** The exit code; 0 if a process ended by the signal that asked it to stop, before it listened for one. */
async function exitOf(one: ChildProcess): Promise<number> {
  const [code, signal] =
    one.exitCode === null && one.signalCode === null ? await once(one, "exit") : [one.exitCode, one.signalCode];
  return code ?? (signal === "SIGTERM" ? 0 : 1);
}
