// `npm run bench`: installs the other servers once if they are measured too, and measures. Plain JavaScript, because it runs before the installation.
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";

/** Programs that measure Gatehouse alone, by the option that asks for them. */
const ALONE = { "--against": "against/main.ts", "--costs": "costs/main.ts", "--rows": "rows/main.ts" };

const run = (program, ...args) => {
  const { status } = spawnSync(program, args, { cwd: import.meta.dirname, stdio: "inherit", shell: process.platform === "win32" });
  if (status !== 0) process.exit(status ?? 1);
};

const args = process.argv.slice(2);
const alone = Object.keys(ALONE).find((option) => args.some((arg) => arg === option || arg.startsWith(`${option}=`)));
// npm writes this file at the end, so an interrupted installation runs again.
if (!alone && !existsSync(new URL("node_modules/.package-lock.json", import.meta.url))) run("npm", "install", "--no-audit", "--no-fund");
run(process.execPath, "--import", "tsx", alone ? ALONE[alone] : "run.ts", ...args);
