// Finds a Chromium for the browser tests: the system's, Playwright's own, or one from the system's package manager.
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { fail, ROOT, run } from "./steps.mjs";

const SYSTEM_PATHS = [
  process.env.CHROMIUM_PATH,
  "/usr/bin/chromium",
  "/usr/bin/chromium-browser",
  "/usr/bin/google-chrome",
  "/usr/bin/google-chrome-stable",
  "/snap/bin/chromium",
  "/Applications/Chromium.app/Contents/MacOS/Chromium",
  "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
];

/** Returns the path of the executable. Installs Chromium if that needs no password, and exits otherwise. */
export async function findChromium() {
  return systemChromium() ?? playwrightChromium() ?? (await installedChromium()) ?? missing();
}

function systemChromium() {
  return SYSTEM_PATHS.find((path) => path && existsSync(path));
}

function playwrightChromium() {
  const { chromium } = createRequire(join(ROOT, "e2e/package.json"))("@playwright/test");
  const path = chromium.executablePath();
  return path && existsSync(path) ? path : undefined;
}

async function installedChromium() {
  if (spawnSync("apt-get", ["--version"], { stdio: "ignore" }).status !== 0) return undefined;
  const root = process.getuid?.() === 0;
  const sudo = !root && spawnSync("sudo", ["-n", "true"], { stdio: "ignore" }).status === 0;
  if (!root && !sudo) return undefined;

  console.log("› Installing Chromium for the browser tests");
  const prefix = sudo ? ["sudo", "-n"] : [];
  const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive" };
  for (const args of [
    ["update", "-qq"],
    ["install", "-y", "-qq", "--no-install-recommends", "chromium"],
  ]) {
    const [command, ...rest] = [...prefix, "apt-get", ...args];
    const { code, output } = await run(command, rest, { env, quiet: true, label: "installing Chromium" });
    if (code !== 0) console.error(output.split("\n").slice(-5).join("\n"));
  }
  return systemChromium();
}

function missing() {
  return fail(
    "No Chromium found for the browser tests. Install one (Debian/Ubuntu: `apt-get install chromium`) or set CHROMIUM_PATH.",
  );
}
