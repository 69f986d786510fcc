import type { ChildProcess } from "node:child_process";
import { onReload, tellToReload } from "@gatehouse/runtime/reload";
import { onStop } from "@gatehouse/runtime/stop";

/** After this long, what has not ended is killed. */
const END_WITHIN_MS = 30_000;

/** A running process, and how a signal reaches all of it. */
export type Member = { process: ChildProcess; signal(name: NodeJS.Signals): void };

export const memberOf = (process: ChildProcess): Member => ({ process, signal: (name) => process.kill(name) });

/**
 * Waits until the processes have ended. A signal to this process stops them all, and so does the end of one. Returns
 * the exit code of the one that ended by itself, or after a signal the worst. `reloads`: SIGHUP has them reload, and
 * stops nothing.
 */
export async function untilTheyEnd(members: readonly Member[], { reloads = false } = {}): Promise<number> {
  let stopping = false;
  const stop = () => {
    stopping = true;
    for (const member of members) member.signal("SIGTERM");
    setTimeout(() => {
      for (const member of members) member.signal("SIGKILL");
    }, END_WITHIN_MS).unref();
  };
  if (reloads) onReload(() => members.forEach(({ process }) => void tellToReload(process)));
  onStop(stop, { reloads });
  const ends = await Promise.all(
    members.map(async ({ process }) => {
      const code = await exitOf(process);
      const isFirst = !stopping;
      if (isFirst) stop();
      return { code, isFirst };
    }),
  );
  return ends.find(({ isFirst }) => isFirst)?.code ?? Math.max(...ends.map(({ code }) => code));
}

/** The exit code; 0 of a process that the signal reached before it listened for one, 127 if it did not start. */
function exitOf(child: ChildProcess): Promise<number> {
  const codeOf = (code: number | null, signal: NodeJS.Signals | null) => code ?? (signal === "SIGTERM" ? 0 : 1);
  if (child.exitCode !== null || child.signalCode !== null)
    return Promise.resolve(codeOf(child.exitCode, child.signalCode));
  return new Promise((resolve) => {
    child.once("exit", (code, signal) => resolve(codeOf(code, signal)));
    child.once("error", ({ message }) => {
      console.error(message);
      resolve(127);
    });
  });
}
