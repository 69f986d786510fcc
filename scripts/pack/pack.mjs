import { cp, mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fail, ROOT, run } from "../steps.mjs";
import { filesBelow, problemsOf } from "./check.mjs";
import { lintProblems } from "./lint.mjs";
import { PUBLISHED, SCOPE, SOURCE_SCOPE } from "./scope.mjs";
import { buildSdk } from "./sdk.mjs";
import { buildServer } from "./server.mjs";
import { buildSqlite, SQLITE } from "./sqlite.mjs";

/** How each published package is built: its files are written into an empty folder. */
export const BUILDS = { sdk: buildSdk, [SQLITE]: buildSqlite, server: buildServer };
/** What Next built for the console is nobody's to import. */
const FOREIGN = { server: /^console\/(\.next|node_modules)\// };

const TEXT = /\.(m?js|d\.m?ts|json|md)$/;

/**
 * Builds a published package into `<to>/<name>`, checks it and packs it beside its folder. PK-65
 * @param {keyof typeof BUILDS} name
 * @param {{ to?: string, scope?: string }} options
 * @returns {Promise<{ folder: string, tarball: string, size: number, unpackedSize: number }>} Sizes in bytes.
 * @throws Error with one line for each thing that must not be packed.
 */
export async function pack(name, { to = join(ROOT, "dist/packages"), scope = SCOPE } = {}) {
  const folder = join(to, name);
  await buildPackage(name, folder, scope);
  return { folder, ...(await makeTarball(folder, to)) };
}

/**
 * The files of a published package, checked. What was in the folder is deleted.
 * @throws Error with one line for each thing that must not be packed.
 */
export async function buildPackage(name, folder, scope = SCOPE) {
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  await BUILDS[name](folder);
  await cp(join(ROOT, "LICENSE"), join(folder, "LICENSE"));
  await applyScope(folder, scope);
  const problems = [
    ...(await problemsOf(folder, { scope, published: PUBLISHED, foreign: FOREIGN[name] })),
    ...(await lintProblems(folder)),
  ];
  if (problems.length > 0) throw new Error(`packages/${name} cannot be packed:\n${problems.join("\n")}`);
}

/** Replaces the scope of the sources in everything that is packed. PK-09 */
export async function applyScope(folder, scope) {
  if (scope === SOURCE_SCOPE) return;
  for (const file of filesBelow(folder).filter((one) => TEXT.test(one))) {
    const path = join(folder, file);
    await writeFile(path, (await readFile(path, "utf8")).replaceAll(`${SOURCE_SCOPE}/`, `${scope}/`));
  }
}

async function makeTarball(folder, to) {
  const { code, output } = await run("npm", ["pack", folder, "--json", "--ignore-scripts", "--pack-destination", to], {
    quiet: true,
  });
  if (code !== 0) fail(`npm pack failed:\n${output}`);
  const [{ filename, size, unpackedSize }] = JSON.parse(output.slice(output.indexOf("[")));
  return { tarball: join(to, filename), size, unpackedSize };
}
