import { type ChildProcess, spawn } from "node:child_process";
import { existsSync, readdirSync } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { ROOT } from "../harness/gatehouse.ts";
import { freePort } from "../harness/processes.ts";

const COMMANDS = { npm: ["npm", "start"], script: [process.execPath, "scripts/start.mjs"] } as const;
const PATIENCE = { timeout: 60_000, interval: 100 };

let folder: string;
let started: ChildProcess | undefined;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "gatehouse-npm-start-"));
});
afterEach(() => {
  if (started?.exitCode === null && started.signalCode === null) started.kill("SIGTERM");
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** Starts server and console as a user or a process manager does, and waits until both run. */
async function start(command: keyof typeof COMMANDS, variables: Record<string, string | undefined> = {}) {
  const ports = [await freePort(), await freePort()];
  const addresses = { PORT: String(ports[0]), ADMIN_PORT: String(ports[1]) };
  const { npm_lifecycle_event: _, GATEHOUSE_ISSUER: __, GATEHOUSE_ADMIN_URL: ___, ...environment } = process.env;
  const env = { ...environment, GATEHOUSE_DATA_DIR: folder, GATEHOUSE_ENV_FILE: "off", NODE_ENV: "", ...addresses, ...variables };
  const [file, ...args] = COMMANDS[command];
  const child = spawn(file, args, { cwd: ROOT, env, stdio: ["ignore", "pipe", "pipe"] });
  started = child;
  let output = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk) => (output += chunk));
  await expect.poll(() => (child.exitCode === null ? output : `${output} (it ended)`), PATIENCE).toMatch(/Gatehouse is running|it ended/);
  expect(output).toContain("Gatehouse is running");
  return { child, ports, output: () => output };
}

function answers(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, "localhost", () => resolve(true)).once("error", () => resolve(false));
    socket.once("connect", () => socket.destroy());
  });
}

describe.each(["npm", "script"] as const)("a signal to %s alone", (command) => {
  test.each(["SIGTERM", "SIGINT", "SIGHUP", "SIGKILL"] as const)(
    "%s leaves nothing running, and the database closed",
    async (signal) => {
      const { child, ports } = await start(command);
      expect(await Promise.all(ports.map(answers))).toEqual([true, true]);
      child.kill(signal);
      await expect.poll(() => Promise.all(ports.map(answers)), PATIENCE).toEqual([false, false]);
      await expect.poll(() => existsSync(join(folder, "gatehouse.db-wal")), PATIENCE).toBe(false);
    },
    120_000,
  );
});

test("npm start exits after both servers, with code 0", async () => {
  const { child, ports } = await start("npm");
  const code = new Promise((resolve) => child.once("exit", resolve));
  child.kill("SIGTERM");
  expect(await code).toBe(0);
  expect(await Promise.all(ports.map(answers))).toEqual([false, false]);
}, 120_000);

test("the first start creates an admin and prints the password; the next one installs, builds and creates nothing", async () => {
  const fresh = await mkdtemp(join(folder, "fresh-"));
  const first = await start("script", { GATEHOUSE_DATA_DIR: fresh });
  expect(first.output().match(/Password {2}\S{22} /g)).toHaveLength(1);
  first.child.kill("SIGTERM");
  await new Promise((resolve) => first.child.once("exit", resolve));
  expect(readdirSync(fresh).sort()).toEqual(["gatehouse.db", "gatehouse.db.lock", "secret"]);

  const second = await start("script", { GATEHOUSE_DATA_DIR: fresh });
  expect(second.output()).not.toMatch(/Installing|Building|Password/);
}, 180_000);

test("a file .env is read, the output says so, and the environment overrides it", async () => {
  const file = join(folder, "settings.env");
  const dataDir = join(folder, "from-file");
  await writeFile(file, `GATEHOUSE_DATA_DIR=${dataDir}\nPORT=1\nADMIN_PORT=1\n`);
  const { child, output } = await start("script", { GATEHOUSE_ENV_FILE: file, GATEHOUSE_DATA_DIR: undefined });
  expect(output()).toContain("settings.env");
  child.kill("SIGTERM");
  await new Promise((resolve) => child.once("exit", resolve));
  expect(readdirSync(dataDir).sort()).toEqual(["gatehouse.db", "gatehouse.db.lock", "secret"]);
}, 120_000);
