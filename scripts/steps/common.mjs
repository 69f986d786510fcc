// What every npm script needs. Plain JavaScript without dependencies, because it runs before the installation.
import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

export const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const OLDEST_NODE = [20, 9];
/** The version that package.json pins, such as pnpm@12.21.0. OP-97 */
const PNPM = JSON.parse(readFileSync(new URL("../../package.json", import.meta.url), "utf8")).packageManager;
const IS_WINDOWS = process.platform === "win32";

/** The environment for child processes: no telemetry, and addresses derived from the ports. */
export function environment(overrides = {}) {
  const port = process.env.PORT ?? "3000";
  const adminPort = process.env.ADMIN_PORT ?? "3001";
  return {
    ...process.env,
    NEXT_TELEMETRY_DISABLED: "1",
    DO_NOT_TRACK: "1",
    npm_config_update_notifier: "false",
    PORT: port,
    ADMIN_PORT: adminPort,
    GATEHOUSE_ISSUER: process.env.GATEHOUSE_ISSUER ?? `http://localhost:${port}`,
    GATEHOUSE_ADMIN_URL: process.env.GATEHOUSE_ADMIN_URL ?? `http://localhost:${adminPort}`,
    ...overrides,
  };
}

/** Exits with one line that says what is wrong and how to fix it. */
export function fail(message, code = 1) {
  console.error(`\n✖ ${message}`);
  process.exit(code);
}

export function requireNode() {
  if (isNodeAtLeast(...OLDEST_NODE)) return;
  fail(
    `Node ${process.versions.node} is too old: Gatehouse needs ${OLDEST_NODE.join(".")} or newer. Get it from https://nodejs.org or your version manager.`,
  );
}

export function isNodeAtLeast(oldestMajor, oldestMinor) {
  const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
  return major > oldestMajor || (major === oldestMajor && minor >= oldestMinor);
}

/** Sends a signal to the process group of a detached child. False if nothing of it is left. */
export function signalGroup(child, signal) {
  try {
    return process.kill(-child.pid, signal);
  } catch {
    return false;
  }
}

/**
 * Adds the settings in the file .env to the environment. Returns its path, or undefined if there is none.
 * Needs the installed dependencies.
 */
export async function readEnvFile() {
  const { loadEnvFile } = await import("../../packages/runtime/src/env-file.mjs");
  try {
    return loadEnvFile(process.env, ROOT);
  } catch (error) {
    return fail(error.message);
  }
}

/**
 * Runs a command until it exits. With `quiet`, its output is returned instead of printed, and it is stopped together
 * with this process.
 */
export function run(command, args, { env = environment(), quiet = false, cwd = ROOT, label } = {}) {
  return new Promise((resolve) => {
    const child = spawn(command, args, {
      cwd,
      env,
      stdio: quiet ? ["ignore", "pipe", "pipe"] : ["ignore", "inherit", "inherit"],
      shell: IS_WINDOWS,
      detached: quiet,
    });
    const release = quiet ? endTogether(child) : () => {};
    const output = [];
    child.stdout?.on("data", (chunk) => output.push(chunk));
    child.stderr?.on("data", (chunk) => output.push(chunk));
    const started = Date.now();
    const ticker =
      label && quiet
        ? setInterval(() => console.log(`  … ${label}, ${Math.round((Date.now() - started) / 1000)} s`), 15_000)
        : undefined;
    child.once("error", (error) => {
      clearInterval(ticker);
      resolve({ code: 127, output: String(error) });
    });
    child.once("close", (code) => {
      clearInterval(ticker);
      release();
      resolve({ code: code ?? 1, output: Buffer.concat(output).toString() });
    });
  });
}

/** Stops the child's group together with this process. Returns a function that undoes this. */
function endTogether(child) {
  const end = () => signalGroup(child, "SIGTERM");
  const exit = () => process.exit(1);
  const signals = ["SIGINT", "SIGTERM", "SIGHUP"];
  process.once("exit", end);
  for (const signal of signals) process.once(signal, exit);
  return () => {
    process.removeListener("exit", end);
    for (const signal of signals) process.removeListener(signal, exit);
  };
}

/** The pnpm command, through npx, so that users need not install it. */
export const pnpm = (...args) => ["npx", ["--yes", PNPM, ...args]];
