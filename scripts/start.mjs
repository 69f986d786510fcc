// npm start: from a fresh clone to two running servers. `--dev` (npm run dev) is the same with hot reload.
import { spawn } from "node:child_process";
import { join } from "node:path";
import { build, environment, giveUp, install, pnpm, ROOT, requireFreePort, requireNode, run } from "./ground.mjs";

const dev = process.argv.includes("--dev");
const env = environment();
const STOP_WITHIN_MS = 10_000;

requireNode();
if (env.PORT === env.ADMIN_PORT) giveUp(`PORT and ADMIN_PORT are both ${env.PORT}. Server and console need one each.`);
await requireFreePort(env.PORT, "PORT");
await requireFreePort(env.ADMIN_PORT, "ADMIN_PORT");
await install();
if (!dev) await build();

console.log("› Preparing the database");
const prepared = await run(...pnpm("--silent", "gatehouse", "bootstrap"), { env });
if (prepared.code !== 0) giveUp("The database could not be prepared; the line above says why.");

const script = dev ? "dev" : "start";
const servers = [serve("web", "@gatehouse/web"), serve("admin", "@gatehouse/admin")];
let stopping = false;

for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => stop(0));

await Promise.all([answers(`${localUrl(env.PORT)}/healthz`), answers(localUrl(env.ADMIN_PORT))]);
if (!stopping) {
  console.log(`
  Gatehouse is running${dev ? " with hot reload" : ""}.

    Server    ${env.GATEHOUSE_ISSUER}
    Console   ${env.GATEHOUSE_ADMIN_URL}

  Ctrl-C stops both.
`);
}

/** Starts one server in a process group of its own, so that everything below it can be stopped together; it does not outlive us. */
function serve(name, filter) {
  const [command, args] = pnpm("--silent", "--filter", filter, script);
  const leash = [join(ROOT, "scripts/leash.mjs"), command, ...args];
  const child = spawn(process.execPath, leash, { cwd: ROOT, env, stdio: ["pipe", "inherit", "inherit"], detached: true });
  child.once("exit", (code) => {
    child.ended = true;
    if (stopping) return;
    console.error(`✖ The ${name} server ended unexpectedly (exit code ${code}).`);
    void stop(1);
  });
  return child;
}

async function stop(code) {
  if (stopping) return;
  stopping = true;
  console.log("\n› Stopping");
  for (const server of servers) signalGroup(server, "SIGTERM");
  const deadline = Date.now() + STOP_WITHIN_MS;
  while (servers.some((server) => groupLives(server)) && Date.now() < deadline) await pause(50);
  for (const server of servers) if (groupLives(server)) signalGroup(server, "SIGKILL");
  process.exit(code);
}

function signalGroup(child, signal) {
  try {
    process.kill(-child.pid, signal);
  } catch {
    // the group has already ended
  }
}

function groupLives(child) {
  try {
    process.kill(-child.pid, 0);
    return true;
  } catch {
    return false;
  }
}

/** Waits until the server answers at all; a redirect to the sign-in page counts. */
async function answers(url) {
  while (!stopping) {
    try {
      await fetch(url, { redirect: "manual" });
      return;
    } catch {
      await pause(150);
    }
  }
}

function localUrl(port) {
  return `http://localhost:${port}`;
}

function pause(milliseconds) {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}
