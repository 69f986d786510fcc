// `npm run bench`: installs the other servers once if they are measured too, and measures. Plain JavaScript, because it
// runs before the installation.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";

/** Programs that measure Gatehouse alone, by the option that asks for them. */
const ALONE = {
  "--against": "against/main.ts",
  "--costs": "costs/main.ts",
  "--rows": "rows/main.ts",
  "--sdk": "sdk/main.ts",
};

const run = async (program, ...args) => {
  const child = spawn(program, args, {
    cwd: import.meta.dirname,
    stdio: "inherit",
    shell: process.platform === "win32",
  });
  // The child cleans up.
  const forward = (signal) => child.kill(signal);
  for (const signal of ["SIGINT", "SIGTERM"]) process.on(signal, forward);
  const [status] = await once(child, "exit");
  for (const signal of ["SIGINT", "SIGTERM"]) process.off(signal, forward);
  if (status !== 0) process.exit(status ?? 1);
};

const args = process.argv.slice(2);
const alone = Object.keys(ALONE).find((option) => args.some((arg) => arg === option || arg.startsWith(`${option}=`)));
// npm writes this file at the end, so an interrupted installation runs again.
if (!alone && !args.includes("--help") && !existsSync(new URL("node_modules/.package-lock.json", import.meta.url)))
  await run("npm", "install", "--no-audit", "--no-fund");
await run(process.execPath, "--import", "tsx", alone ? ALONE[alone] : "run.ts", ...args);
