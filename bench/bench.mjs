// `npm run bench`: installs the other servers once, and measures. Plain JavaScript, because it runs before the installation.
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";

const run = (program, ...args) => {
  const { status } = spawnSync(program, args, { cwd: import.meta.dirname, stdio: "inherit", shell: process.platform === "win32" });
  if (status !== 0) process.exit(status ?? 1);
};

// npm writes this file at the end, so an interrupted installation runs again.
if (!existsSync(new URL("node_modules/.package-lock.json", import.meta.url))) run("npm", "install", "--no-audit", "--no-fund");
run(process.execPath, "--import", "tsx", "run.ts", ...process.argv.slice(2));
