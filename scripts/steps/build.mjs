import { readFileSync } from "node:fs";
import { freemem } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { isBuilt, markBuilt, PARTS, sourcesOf } from "../freshness.mjs";
import { environment, fail, ROOT, run } from "./common.mjs";
import { showProgress } from "./progress.mjs";

/** Two builds of Next at the same time take 1.7 GB; what is left is for everything else. */
const MEMORY_FOR_ALL = 2.5 * 1024 ** 3;

/**
 * Builds those parts whose sources changed: at the same time if there is enough memory, otherwise one after the other.
 */
export async function build(progress) {
  const stale = staleParts();
  if (stale.length === 0) return;
  const own = progress ?? showProgress();
  if (!progress) own.plan(...stale.map(({ name }) => `build ${name}`));
  // Taken before the build, because edits during the build may be missed.
  const sources = sourcesOf(ROOT);
  const buildOne = (part) => own.during(`build ${part.name}`, () => buildPart(part, sources[part.name], own));
  const builds = [];
  for (const part of stale) {
    const building = Promise.allSettled([buildOne(part)]);
    builds.push(building);
    if (availableMemory() < MEMORY_FOR_ALL) await building;
  }
  const problems = (await Promise.all(builds)).flat().filter(({ status }) => status === "rejected");
  if (!progress || problems.length > 0) own.close();
  if (problems.length > 0) {
    console.error(problems.map(({ reason }) => reason.message).join("\n"));
    fail("The build failed; the lines above say where.");
  }
}

/** The parts that have to be built. */
export function staleParts() {
  return PARTS.filter((part) => !isBuilt(ROOT, part));
}

/** Runs the scripts of a part. Throws the output of one that fails. */
async function buildPart(part, sources, progress) {
  const cwd = join(ROOT, part.folder);
  const { scripts } = JSON.parse(readFileSync(join(cwd, "package.json"), "utf8"));
  const PATH = [join(cwd, "node_modules/.bin"), dirname(process.execPath), process.env.PATH].join(delimiter);
  for (const script of part.scripts) {
    const began = performance.now();
    const { code, output } = await run("sh", ["-c", scripts[script]], { cwd, env: environment({ PATH }), quiet: true });
    if (code !== 0) throw new Error(`${part.folder}, npm run ${script}:\n${output}`);
    if (part.scripts.length > 1) progress.note(`build ${part.name}: ${script}`, (performance.now() - began) / 1000);
  }
  markBuilt(ROOT, part, sources);
}

/** Memory that this process may use; of a container, its own limit counts. */
function availableMemory() {
  return process.availableMemory?.() ?? freemem();
}
