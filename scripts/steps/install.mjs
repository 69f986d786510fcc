import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { environment, fail, pnpm, ROOT, run } from "./common.mjs";
import { showProgress } from "./progress.mjs";

const STAMP = join(ROOT, "node_modules", ".gatehouse-installed");
/** Vitest removes it itself when the lock file has changed, and then fails to write to it. */
const MODULES_OF_TESTS = join(ROOT, "node_modules", ".experimental-vitest-cache");
const APPS = ["--prod", "--filter=@gatehouse/web...", "--filter=@gatehouse/admin...", "--filter=@gatehouse/cli..."];

/**
 * What each level installs, with the arguments for pnpm. Each has everything of those before it: `run` is what builds
 * and runs the two apps and the command line, `all` has the tests' tools and the vendors' libraries too.
 */
const LEVELS = { run: APPS, examples: [...APPS, "--filter=./examples/*"], all: ["--prod=false"] };

/**
 * Installs the dependencies of a level, if the lock file or a manifest changed or only a lower level is installed. It
 * never goes back to a lower level, which would remove what the tests need.
 */
export async function install(level = "all", progress) {
  if (isInstalled(level)) return;
  const target = levelsFrom(level).findLast((one) => one === level || one === installed().level);
  const own = progress ?? showProgress();
  try {
    await own.during("install", () => runPnpm("install", "--frozen-lockfile", "--prefer-offline", ...LEVELS[target]));
  } catch (error) {
    own.close();
    giveUp(error.message);
  }
  if (!progress) own.close();
  rmSync(MODULES_OF_TESTS, { recursive: true, force: true });
  writeFileSync(STAMP, `${fingerprint()} ${target}\n`);
}

/** Throws its output if it fails. CI=true: it asks nothing. */
async function runPnpm(...args) {
  const { code, output } = await run(...pnpm(...args), { env: environment({ CI: "true" }), quiet: true });
  if (code !== 0) throw new Error(output);
}

export function isInstalled(level) {
  const { sources, level: found } = installed();
  return levelsFrom(level).includes(found) && sources === fingerprint();
}

/** The levels that have everything of this one. */
export function levelsFrom(level) {
  const order = Object.keys(LEVELS);
  return order.slice(order.indexOf(level));
}

/** What the stamp says: of which sources, and which level. */
function installed() {
  if (!existsSync(STAMP)) return {};
  const [sources, level = "all"] = readFileSync(STAMP, "utf8").trim().split(" ");
  return { sources, level };
}

function giveUp(output) {
  console.error(output.split("\n").slice(-40).join("\n"));
  if (!hasCompiler()) {
    fail(
      "No C++ compiler found, and the database driver had to be compiled. Install one: Debian/Ubuntu `apt-get install g++ make python3`, macOS `xcode-select --install`, then run this again.",
    );
  }
  fail("The dependencies could not be installed; the lines above say why. Is the npm registry reachable?");
}

function fingerprint() {
  const manifests = ["package.json", "pnpm-lock.yaml", "pnpm-workspace.yaml"];
  for (const folder of ["packages", "apps", "examples"]) {
    for (const entry of readdirSync(join(ROOT, folder))) manifests.push(join(folder, entry, "package.json"));
  }
  manifests.push("e2e/package.json");
  const hash = createHash("sha256").update(process.version);
  for (const file of manifests)
    if (existsSync(join(ROOT, file))) hash.update(file).update(readFileSync(join(ROOT, file)));
  return hash.digest("hex");
}

function hasCompiler() {
  return ["c++", "g++", "clang++"].some((name) => spawnSync(name, ["--version"], { stdio: "ignore" }).status === 0);
}
