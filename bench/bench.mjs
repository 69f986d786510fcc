// `npm run bench`: installs the other servers once if they are measured too, and measures. Plain JavaScript, because it
// runs before the installation.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync } from "node:fs";

/** Programs that measure Gatehouse alone, by the option that asks for them. */
const ALONE = {
  "--against": "against/main.ts",
  "--costs": "costs/main.ts",
  "--rows": "rows/main.ts",
};
/** A program of its own that measures others too. */
const SDK = "--sdk";

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
if (!alone && !args.includes("--help") && !isInstalled()) await run("npm", "install", "--no-audit", "--no-fund");
const others = args.includes(SDK) ? "sdk/main.ts" : "run.ts";
await run(process.execPath, "--import", "tsx", alone ? ALONE[alone] : others, ...args);

/** npm writes this file at the end, so an interrupted installation runs again, and so does one of another list. */
function isInstalled() {
  const installed = new URL("node_modules/.package-lock.json", import.meta.url);
  if (!existsSync(installed)) return false;
  const { packages } = JSON.parse(readFileSync(installed, "utf8"));
  const { dependencies } = JSON.parse(readFileSync(new URL("package.json", import.meta.url), "utf8"));
  return Object.entries(dependencies).every(([name, version]) => packages[`node_modules/${name}`]?.version === version);
}
