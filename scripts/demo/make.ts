import { type ChildProcess, fork, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { fileURLToPath, pathToFileURL } from "node:url";
import { ADA, SHOP, WAREHOUSE } from "./data.ts";
import { demoEnvironment, type Place } from "./environment.ts";
import { playHistory } from "./history.ts";
import { countTraffic } from "./traffic.ts";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const CLOCK = pathToFileURL(join(ROOT, "scripts/demo/clock.mjs")).href;
const DAYS_MS = 15 * 24 * 60 * 60 * 1000; // the history begins the day after
const LOOK_EVERY_MS = 50;
const START_WITHIN_MS = 60_000;

type Environment = Record<string, string> & { NODE_ENV: "production" };

/** Makes an installation with two weeks of history in a new folder. Needs a build. */
export async function makeDemo(place: Place): Promise<{ refused: string[] }> {
  const draft = `${place.folder}.new`; // one that was not finished does not count
  await rm(draft, { recursive: true, force: true });
  await mkdir(draft, { recursive: true });
  const environment = demoEnvironment({ ...place, folder: draft });
  const { GATEHOUSE_ISSUER: issuer = "" } = environment;
  const env = { ...environment, NODE_ENV: "production" as const, GATEHOUSE_TRUST_PROXY: "1", LOG_LEVEL: "error" };
  const firstAdmin = { GATEHOUSE_ADMIN_EMAIL: ADA.email, GATEHOUSE_ADMIN_PASSWORD: ADA.password };
  const server = startServer({ ...env, ...firstAdmin, GATEHOUSE_HANDLERS: "inline" });
  try {
    await untilReady(issuer, server);
    const history = await playHistory({
      issuer,
      moveTo: (timeMs) => setClock(server, timeMs),
      apply: (file, timeMs) => apply(file, timeMs, draft, env),
    });
    await countTraffic(`file:${join(draft, "gatehouse.db")}`, [SHOP.client_id, WAREHOUSE.client_id], "stripe");
    await stop(server);
    await rename(draft, place.folder);
    return history;
  } catch (error) {
    server.kill("SIGKILL");
    throw error;
  }
}

/** The built server, before its history. */
function startServer(env: Environment): ChildProcess {
  return fork("dist/server.mjs", {
    cwd: join(ROOT, "apps/web"),
    env: { ...env, DEMO_CLOCK_MS: String(-DAYS_MS) },
    execArgv: ["--import", CLOCK],
    stdio: ["ignore", "ignore", "inherit", "ipc"],
  });
}

async function untilReady(issuer: string, server: ChildProcess): Promise<void> {
  const deadline = performance.now() + START_WITHIN_MS;
  while (server.exitCode === null && performance.now() < deadline) {
    const ready = await fetch(`${issuer}/readyz`).then(
      ({ ok }) => ok,
      () => false,
    );
    if (ready) return;
    await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS));
  }
  throw new Error("the server of the demo did not start");
}

async function setClock(server: ChildProcess, timeMs: number): Promise<void> {
  const clockMs = timeMs - Date.now();
  const answered = new Promise<void>((resolve) => {
    server.on("message", function listen(message: { clockMs?: number }) {
      if (message.clockMs !== clockMs) return;
      server.off("message", listen);
      resolve();
    });
  });
  server.send({ clockMs });
  await answered;
}

async function apply(file: object, timeMs: number, folder: string, env: Environment): Promise<void> {
  const path = join(folder, "gatehouse.json");
  await writeFile(path, JSON.stringify(file));
  const command = spawn(process.execPath, ["--import", CLOCK, "scripts/gatehouse.mjs", "apply", path], {
    cwd: ROOT,
    env: { ...env, DEMO_CLOCK_MS: String(timeMs - Date.now()), DEMO_OPERATOR: "grace" },
    stdio: ["ignore", "ignore", "pipe"],
  });
  const exit = once(command, "exit");
  const said = await text(command.stderr);
  const [code] = await exit;
  await rm(path);
  if (code !== 0) throw new Error(`gatehouse apply ended with exit code ${code}:\n${said}`);
}

async function stop(server: ChildProcess): Promise<void> {
  const ended = once(server, "exit");
  server.kill("SIGTERM");
  const [code] = await ended;
  if (code !== 0) throw new Error(`the server of the demo ended with exit code ${code}`);
}
