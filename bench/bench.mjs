// `npm run bench`: installs what the peers need, once, and measures. Plain JavaScript: it runs before anything is installed here.
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";

const run = (program, ...args) => {
  const { status } = spawnSync(program, args, { cwd: import.meta.dirname, stdio: "inherit", shell: process.platform === "win32" });
  if (status !== 0) process.exit(status ?? 1);
};

// npm leaves this file behind when it is done, so an installation that was cut short is taken up again.
if (!existsSync(new URL("node_modules/.package-lock.json", import.meta.url))) run("npm", "install", "--no-audit", "--no-fund");
run(process.execPath, "--import", "tsx", "run.ts", ...process.argv.slice(2));
