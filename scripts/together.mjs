import { spawn } from "node:child_process";
import { delimiter, join } from "node:path";
import { ROOT } from "./steps.mjs";

const IS_WINDOWS = process.platform === "win32";

/**
 * Runs commands of installed packages at the same time, and prints the output of each when it ends. Exits with 1 if one
 * of them fails.
 * @param {readonly string[]} commands
 */
export async function together(commands) {
  const PATH = [join(ROOT, "node_modules/.bin"), process.env.PATH].join(delimiter);
  const codes = await Promise.all(commands.map((command) => finished(command, { ...process.env, PATH })));
  process.exitCode = codes.every((code) => code === 0) ? 0 : 1;
}

function finished(command, env) {
  const [program, ...args] = command.split(" ");
  const child = spawn(program, args, {
    cwd: ROOT,
    env: { FORCE_COLOR: process.stdout.isTTY ? "1" : "0", ...env },
    shell: IS_WINDOWS,
  });
  const output = [];
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk) => output.push(chunk));
  return new Promise((resolve) => {
    child.once("error", (error) => {
      console.error(`✖ ${command}: ${error.message}`);
      resolve(127);
    });
    child.once("close", (code) => {
      console.log(`${code === 0 ? "✓" : "✖"} ${command}`);
      if (code !== 0) process.stdout.write(Buffer.concat(output));
      resolve(code ?? 1);
    });
  });
}
