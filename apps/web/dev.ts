import { once } from "node:events";
import { mkdtemp } from "node:fs/promises";
import { type AddressInfo, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { onStop } from "@gatehouse/runtime/stop";
import { createBuilds } from "./dev/builds.ts";
import { devEnv } from "./dev/env.ts";
import { createFront } from "./dev/front.ts";
import { accepts, Ended, type Program, startProgram } from "./dev/programs.ts";
import { createReloading } from "./dev/reloading.ts";
import { watchSources } from "./dev/watch.ts";
import { type NextMessage, said } from "./server/next/messages.ts";
import { listen } from "./server/node/listen.ts";
import { handOver, readSecrets } from "./server/start/secrets.ts";

// npm run dev: the server as in production, built again and started again when its sources change, and Next, which
// reloads React pages itself and stays. This process listens in front of both, so that no request is refused meanwhile.
// docs/decisions/0013-custom-server.md

/** Editors write a file in several steps, and several files at once. */
const SETTLE_MS = 30;
const BUNDLES = ".dev";
const SOURCES = [".", "../../packages"].map((folder) => fileURLToPath(new URL(folder, import.meta.url)));

const env = devEnv();
const address = { host: "127.0.0.1", port: await freePort() };
const socketPath = join(await mkdtemp(join(tmpdir(), "gatehouse-dev-")), "next"); // of this user alone
const builds = await createBuilds(BUNDLES);
const reloading = createReloading();
const front = createFront(
  env,
  { server: () => serving.then(() => address), next: () => serving.then(() => ({ socketPath })) },
  reloading,
);

let stopping = false;
let server: Program | undefined;
let next: Program | undefined;
let serving = start();
serving.catch((error: unknown) => {
  if (error instanceof Ended) return void stop(error.exitCode); // it has said why
  console.error(`Gatehouse cannot start: ${error instanceof Error ? error.message : error}`);
  return void stop(1);
});
onStop(() => void stop());

async function start(): Promise<void> {
  const listening = await listen(front.listener, env);
  for (const one of listening) one.on("upgrade", front.upgrade);
  await builds.server();
  await Promise.all([startServer(), builds.others()]);
  await startNext(); // when the database has been prepared
  for (const folder of SOURCES) watchSources(folder, changed);
}

/** Resolves when the server listens, or waits for its database. */
async function startServer(): Promise<void> {
  const program = startProgram(join(BUNDLES, "server.mjs"), [socketPath], env.variablesOfServer(address.port));
  server = program;
  program.child.on("message", (message: object) => process.send?.(message)); // how long its start took
  const waiting = new AbortController();
  await Promise.race([accepts(address, waiting.signal), program.ended]).finally(() => waiting.abort());
  program.ended.catch((error: unknown) => {
    if (server !== program || stopping) return;
    serving = Promise.reject(error);
    serving.catch(() => {});
    console.error("✖ The server has ended. It starts again with the next change.");
  });
}

/** Resolves when Next listens. One that ends is replaced. */
async function startNext(): Promise<void> {
  const program = startProgram(join(BUNDLES, "next-server.mjs"), [socketPath], env.variables);
  handOver(program.child, () => readSecrets(env.variables, process.cwd()));
  next = program;
  await Promise.race([said(program.child, "listening"), program.ended]);
  program.ended.catch(() => {
    if (!stopping) serving = Promise.all([serving, startNext()]).then(() => {});
  });
}

let settling: NodeJS.Timeout | undefined;
let reload: Promise<void> | undefined;
function changed(): void {
  clearTimeout(settling);
  settling = setTimeout(() => {
    reload = (reload ?? Promise.resolve()).then(buildAndRestart).catch(() => {
      console.error("✖ The change is not running: the lines above say why.");
    });
  }, SETTLE_MS);
}

/** A server that was built before keeps running until the next one has been built. */
async function buildAndRestart(): Promise<void> {
  const began = performance.now();
  if (!(await builds.server()) || stopping) return;
  const before = server;
  server = undefined;
  serving = Promise.resolve(before?.end("SIGTERM")).then(startServer);
  const [changedOthers] = await Promise.all([builds.others(), serving.then(() => reloading.changed("server"))]);
  if (changedOthers && next) {
    const loaded = said(next.child, "loaded");
    next.child.send("built" satisfies NextMessage);
    await Promise.race([loaded, next.ended]);
    reloading.changed("next");
  }
  console.warn(`› Changed, and running again after ${((performance.now() - began) / 1000).toFixed(1)} s`);
}

async function stop(code?: number): Promise<void> {
  if (stopping) return;
  stopping = true;
  const ofServer = await server?.end("SIGTERM");
  next?.child.disconnect();
  await next?.ended.catch(() => {});
  process.exit(code ?? ofServer ?? 0);
}

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, "127.0.0.1");
  await once(probe, "listening");
  const { port } = probe.address() as AddressInfo;
  probe.close();
  await once(probe, "close");
  return port;
}
