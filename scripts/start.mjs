// npm start: from a fresh clone to two running servers. `--dev` (npm run dev) is the same with hot reload. `--timings`
// ends with a table of what took how long.
import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { get } from "node:http";
import { delimiter, dirname, join, relative } from "node:path";
import { isLoopbackUrl } from "../packages/runtime/src/loopback.mjs";
import { onStop, readPatience } from "../packages/runtime/src/stop.mjs";
import { showProgress, tableOf } from "./steps/progress.mjs";
import {
  build,
  environment,
  fail,
  install,
  isInstalled,
  ROOT,
  readEnvFile,
  requireFreePorts,
  requireNode,
  signalGroup,
  staleParts,
} from "./steps.mjs";

/** A server that has cut its connections ends within this time. */
const END_WITHIN_MS = 6_000;
const dev = process.argv.includes("--dev");
const servers = [];
/** What the server says about its own start. */
const ofServer = [];
const progress = showProgress();
let stopping = false;

requireNode();
onStop(() => void stop(0));
if (!isInstalled("run")) progress.plan("install");
if (!dev) progress.plan(...staleParts().map(({ name }) => `build ${name}`));
progress.plan("start");
await install("run", progress);
const envFile = await readEnvFile();
if (envFile) console.log(`› Reading settings from ${relative(process.cwd(), envFile)}`);
const env = { GATEHOUSE_MIGRATE: "auto", ...environment() };
const patience = readPatienceOrGiveUp();
if (env.PORT === env.ADMIN_PORT) fail(`PORT and ADMIN_PORT are both ${env.PORT}. Server and console need one each.`);
await requireFreePorts({ PORT: env.PORT, ADMIN_PORT: env.ADMIN_PORT });
if (!dev) await build(progress);
progress.close();

const startBegan = performance.now();
// The server prepares the database (packages/installation/src/prepare.ts), once. The console waits for the secret that
// it generates.
servers.push(serve("web"), serve("admin"));
const [serverSeconds, consoleSeconds] = await Promise.all([
  answers(`${localUrl(env.PORT)}/healthz`),
  answers(`${localUrl(env.ADMIN_PORT)}/healthz`),
]);
if (!stopping) {
  if (process.argv.includes("--timings")) console.log(`\n${timings()}`);
  console.log(`
  Gatehouse is running${dev ? " with hot reload" : ""}.

    Server    ${env.GATEHOUSE_ISSUER}
    Console   ${env.GATEHOUSE_ADMIN_URL}

  Ctrl-C stops both.
`);
}

/**
 * Runs the app's own script without a package manager, which would cost a second and swallow signals. Each server leads
 * a process group, so that everything below it stops together; if this process is killed, the closed IPC channel stops
 * the server.
 */
function serve(app) {
  const cwd = join(ROOT, "apps", app);
  const { scripts } = JSON.parse(readFileSync(join(cwd, "package.json"), "utf8"));
  const PATH = [join(cwd, "node_modules/.bin"), dirname(process.execPath), process.env.PATH].join(delimiter);
  const options = { cwd, env: { ...env, PATH }, stdio: ["ignore", "inherit", "inherit", "ipc"], detached: true };
  const child = spawn("sh", ["-c", scripts[dev ? "dev" : "start"]], options);
  child.on("message", ({ startTimes = [] }) => ofServer.push(...startTimes));
  child.once("exit", (code) => {
    if (stopping) return;
    console.error(`✖ The ${app === "web" ? "server" : "console"} exited unexpectedly (exit code ${code}).`);
    void stop(code || 1);
  });
  return child;
}

async function stop(code) {
  if (stopping) return;
  stopping = true;
  console.log("\n› Stopping");
  for (const server of servers) signalGroup(server, "SIGTERM");
  const deadline = Date.now() + (servers.length > 0 ? patience.stopSeconds * 1000 + END_WITHIN_MS : 0);
  while (servers.some((server) => signalGroup(server, 0)) && Date.now() < deadline) await pause(25);
  for (const server of servers) signalGroup(server, "SIGKILL");
  process.exit(code || (servers.every(endedWell) ? 0 : 1));
}

/** It exited with 0, or the signal arrived before it served. */
function endedWell({ exitCode, signalCode }) {
  return exitCode === 0 || signalCode === "SIGTERM";
}

function readPatienceOrGiveUp() {
  try {
    return readPatience(env, { onLoopback: isLoopbackUrl(env.GATEHOUSE_ISSUER) });
  } catch (error) {
    return fail(error.message);
  }
}

/** Waits until the server responds. Returns the seconds since both were started. */
async function answers(url) {
  while (!stopping && !(await answered(url))) await pause(50);
  return (performance.now() - startBegan) / 1000;
}

function timings() {
  const steps = [
    ...progress.times(),
    { name: "start", seconds: Math.max(serverSeconds, consoleSeconds) },
    ...ofServer.map(({ name, seconds }) => ({ name: `  server: ${name}`, seconds })),
    { name: "  server: first answer after", seconds: serverSeconds },
    { name: "  console: first answer after", seconds: consoleSeconds },
  ];
  return tableOf(steps, performance.now() / 1000);
}

/** Uses a connection without keep-alive: a stopping server would wait for it. */
function answered(url) {
  return new Promise((resolve) => {
    get(url, { agent: false }, (response) => response.resume().once("close", () => resolve(true))).once("error", () =>
      resolve(false),
    );
  });
}

function localUrl(port) {
  return `http://localhost:${port}`;
}

function pause(milliseconds) {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}
