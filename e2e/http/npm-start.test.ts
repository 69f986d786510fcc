import { once } from "node:events";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { environmentOf, PATIENCE, type Started, serving, startBoth } from "../harness/npm-start.ts";
import { askToUpgrade } from "../harness/upgrade.ts";

// Two starts, one after the other, on one data directory. Every signal to each command is in npm-start.full.test.ts.

let folder: string;
let dataDir: string;
let started: Started | undefined;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "gatehouse-npm-start-"));
  dataDir = join(folder, "data");
});
afterEach(() => {
  if (started?.child.exitCode === null && started.child.signalCode === null) started.child.kill("SIGTERM");
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** The console's process has its two keys, and nothing of the server's. */
function expectConsoleKeysOnly(port: number, secret: string): void {
  if (process.platform !== "linux") return;
  const environment = environmentOf(port);
  const names = environment.map((line) => line.split("=", 1)[0]);
  expect(names).toEqual(expect.arrayContaining(["GATEHOUSE_CONSOLE_CLIENT_SECRET", "GATEHOUSE_CONSOLE_COOKIE_KEY"]));
  for (const name of ["GATEHOUSE_SECRET", "GATEHOUSE_DATA_DIR", "DATABASE_URL"]) expect(names).not.toContain(name);
  expect(environment.join("\n")).not.toContain(secret);
  expect(environment.join("\n")).not.toContain(dataDir);
}
const secretFile = () => readFileSync(join(dataDir, "secret"), "utf8").trim();

test("the first start reads the file .env that the environment overrides, creates an admin and prints the password; SIGTERM ends both servers, with code 0", async () => {
  const file = join(folder, "settings.env");
  await writeFile(file, `GATEHOUSE_DATA_DIR=${dataDir}\nPORT=1\nADMIN_PORT=1\n`);
  started = await startBoth("npm", { GATEHOUSE_ENV_FILE: file, GATEHOUSE_DATA_DIR: undefined });
  expect(started.output()).toContain("settings.env");
  expect(started.output().match(/Password {2}\S{22} /g)).toHaveLength(1);
  expect(await serving(started)).toEqual([true, true]);
  expectConsoleKeysOnly(started.admin, secretFile());

  const exit = once(started.child, "exit");
  started.child.kill("SIGTERM");
  expect(await exit).toEqual([0, null]);
  expect(await serving(started)).toEqual([false, false]);
  expect(readdirSync(dataDir).sort()).toEqual(["gatehouse.db", "gatehouse.db.lock", "secret"]);
}, 120_000);

/** Next has served a file in both processes before. RFC 9110 §7.8. */
async function expectUpgradesIgnored({ web, admin }: Started): Promise<void> {
  for (const port of [web, admin]) {
    expect((await fetch(`http://localhost:${port}/_next/static/x`)).status).toBe(404);
    for (const protocol of ["h2c", "websocket"] as const) {
      expect([port, protocol, ...(await askToUpgrade(port, "/healthz", protocol))]).toEqual([
        port,
        protocol,
        200,
        200,
        405,
      ]);
    }
  }
}

test("the next one installs, builds and creates nothing; both servers answer requests for an upgrade as HTTP/1.1; SIGKILL leaves nothing running, and the database closed", async () => {
  const GATEHOUSE_SECRET = secretFile();
  const DATABASE_URL = `file:${join(dataDir, "gatehouse.db")}`;
  started = await startBoth("script", { GATEHOUSE_DATA_DIR: dataDir, GATEHOUSE_SECRET, DATABASE_URL });
  expect(started.output()).not.toMatch(/Installing|Building|Password/);
  expectConsoleKeysOnly(started.admin, GATEHOUSE_SECRET);
  expect(await serving(started)).toEqual([true, true]);
  await expectUpgradesIgnored(started);
  started.child.kill("SIGKILL");
  await expect.poll(() => serving(started as Started), PATIENCE).toEqual([false, false]);
  await expect.poll(() => existsSync(join(dataDir, "gatehouse.db-wal")), PATIENCE).toBe(false);
}, 120_000);
