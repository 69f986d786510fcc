// Runs a command that ends with whoever started it, however that one ends: killed outright, it can stop nothing itself, but the
// pipe to our standard input closes all the same. Started detached, this process leads the group that it then ends.
import { spawn } from "node:child_process";

const STOP_WITHIN_MS = 10_000;
const [command, ...args] = process.argv.slice(2);

const child = spawn(command, args, { stdio: ["ignore", "inherit", "inherit"], shell: process.platform === "win32" });
child.once("error", (error) => {
  console.error(`✖ ${command} could not be started: ${error.message}`);
  process.exit(127);
});
child.once("exit", (code) => process.exit(code ?? 1));

// Our group's signals reach the command directly; its end is ours.
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => {});

process.stdin.resume();
process.stdin.once("close", () => {
  signalGroup("SIGTERM");
  setTimeout(() => signalGroup("SIGKILL"), STOP_WITHIN_MS);
});

function signalGroup(signal) {
  try {
    process.kill(-process.pid, signal);
  } catch {
    child.kill(signal); // a system without process groups
  }
}
