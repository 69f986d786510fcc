// npm run demo: an installation with made-up people and two weeks of history, to look at. It has a folder of its own,
// `demo` in the data folder, which the first run fills: delete it to have a new one. The console refuses changes.
import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { join, relative, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { showProgress } from "./steps/progress.mjs";
import {
  build,
  fail,
  install,
  isInstalled,
  otherPorts,
  portsAreFree,
  ROOT,
  requireFreePorts,
  requireNode,
  staleParts,
} from "./steps.mjs";

const folder = resolve(ROOT, process.env.GATEHOUSE_DATA_DIR || ".data", "demo");
const progress = showProgress();

requireNode();
if (!isInstalled("run")) progress.plan("install");
progress.plan(...staleParts().map(({ name }) => `build ${name}`));
const isNew = !existsSync(folder);
if (isNew) progress.plan("make two weeks of history");
await install("run", progress);
await build(progress);
await acceptTypeScript();
const { ADA } = await import("./demo/data.ts");
const { demoEnvironment } = await import("./demo/environment.ts");
const place = { folder, ...(await choosePorts()) };
if (isNew) await progress.during("make two weeks of history", makeHistory).catch((error) => fail(error.message));
progress.close();

for (const name of Object.keys(process.env)) delete process.env[name];
Object.assign(process.env, demoEnvironment(place), { GATEHOUSE_DEMO: "1" });
await import("./start.mjs");
console.log(`  Look around: open the console at ${process.env.GATEHOUSE_ADMIN_URL} and sign in with

    Email     ${ADA.email}
    Password  ${ADA.password}

  Everything is made up, and changes are refused. Delete ${relative(process.cwd(), folder)} for a new history.
`);

/** The ports that were asked for; otherwise the usual ones, or free ones in their place. */
async function choosePorts() {
  const { PORT, ADMIN_PORT } = process.env;
  const asked = { PORT: PORT || "3000", ADMIN_PORT: ADMIN_PORT || "3001" };
  if (PORT || ADMIN_PORT) await requireFreePorts(asked);
  const ports = (await portsAreFree(asked)) ? asked : await otherPorts(asked);
  return { port: ports.PORT, adminPort: ports.ADMIN_PORT };
}

async function makeHistory() {
  const { makeDemo } = await import("./demo/make.ts"); // with the packages' sources, which take a second to load
  await makeDemo(place);
}

async function acceptTypeScript() {
  await import(pathToFileURL(createRequire(join(ROOT, "apps/web/package.json")).resolve("tsx")).href);
}
