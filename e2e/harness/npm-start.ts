import { type ChildProcess, spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { connect } from "node:net";
import { expect } from "vitest";
import { holderOf } from "../../scripts/steps/ports.mjs";
import { ROOT } from "./gatehouse.ts";
import { freePort } from "./processes.ts";

const COMMANDS = {
  npm: ["npm", "start"],
  script: [process.execPath, "scripts/start.mjs"],
  dev: [process.execPath, "scripts/start.mjs", "--dev"],
  demo: [process.execPath, "scripts/demo.mjs"],
} as const;
export type Command = keyof typeof COMMANDS;
/** How long starts and ends are waited for. */
export const PATIENCE = { timeout: 60_000, interval: 100 };

export type Started = { child: ChildProcess; web: number; admin: number; output: () => string };

/**
 * Starts server and console on free ports, as a user or a process manager does, and waits until both run. Undefined
 * removes a variable.
 */
export async function startBoth(
  command: Command,
  variables: Record<string, string | undefined>,
  folder = ROOT,
  patience = PATIENCE,
): Promise<Started> {
  const [web, admin] = [await freePort(), await freePort()];
  const { npm_lifecycle_event: _, GATEHOUSE_ISSUER: __, GATEHOUSE_ADMIN_URL: ___, ...environment } = process.env;
  const env = {
    ...environment,
    GATEHOUSE_ENV_FILE: "off",
    NODE_ENV: "",
    PORT: String(web),
    ADMIN_PORT: String(admin),
    ...variables,
  };
  const [file, ...args] = COMMANDS[command];
  const child = spawn(file, args, { cwd: folder, env, stdio: ["ignore", "pipe", "pipe"] });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk) => (output += chunk));
  try {
    const said = () => (child.exitCode === null ? output : `${output} (it ended)`);
    await expect.poll(said, patience).toMatch(/Gatehouse is running|it ended/);
    expect(output).toContain("Gatehouse is running");
  } catch (failure) {
    child.kill("SIGTERM");
    throw failure;
  }
  return { child, web, admin, output: () => output };
}

/** Which of both accept connections. */
export const serving = ({ web, admin }: Started) => Promise.all([web, admin].map(accepts));

function accepts(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, "localhost", () => resolve(true)).once("error", () => resolve(false));
    socket.once("connect", () => socket.destroy());
  });
}

/** The environment of the process that listens on this port, as `NAME=value`, from /proc. */
export function environmentOf(port: number): string[] {
  const holder = holderOf(port);
  if (holder === undefined) throw new Error(`nothing listens on ${port}`);
  return readFileSync(`/proc/${holder.pid}/environ`, "utf8").split("\0");
}
