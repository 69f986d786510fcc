import { spawn } from "node:child_process";
import { text } from "node:stream/consumers";
import { ROOT } from "../steps.mjs";

const IS_WINDOWS = process.platform === "win32";
/**
 * Runs its arguments, then writes to descriptor 3 what they used: Node has no figure for the processes of its children.
 */
const TIMED = '"$@"; code=$?; times >&3; exit $code';

/**
 * Runs a command with our output until it exits. Resolves with its exit code, the wall time and the CPU time of all its
 * processes, in seconds. `cpuSeconds` is undefined where there is no shell that can tell.
 */
export async function runTimed(command, args, env) {
  const started = performance.now();
  const child = IS_WINDOWS
    ? spawn(command, args, { cwd: ROOT, env, stdio: ["ignore", "inherit", "inherit"], shell: true })
    : spawn("sh", ["-c", TIMED, "sh", command, ...args], {
        cwd: ROOT,
        env,
        stdio: ["ignore", "inherit", "inherit", "pipe"],
      });
  const times = IS_WINDOWS ? Promise.resolve("") : text(child.stdio[3]);
  const code = await new Promise((resolve) => {
    child.once("error", () => resolve(127));
    child.once("close", (exitCode) => resolve(exitCode ?? 1));
  });
  return { code, wallSeconds: (performance.now() - started) / 1000, cpuSeconds: cpuSeconds(await times) };
}

/** The second line of `times` is what the children used: `1m2.34s 0m5.67s`, user and system. */
function cpuSeconds(times) {
  const spans = [...(times.split("\n")[1] ?? "").matchAll(/(\d+)m([\d.]+)s/g)];
  return spans.length === 0
    ? undefined
    : spans.reduce((sum, [, minutes, seconds]) => sum + Number(minutes) * 60 + Number(seconds), 0);
}
