import { readFileSync } from "node:fs";
import { join } from "node:path";
import { publint } from "publint";
import { formatMessage } from "publint/utils";
import { filesBelow } from "./check.mjs";
import { readJson } from "./manifest.mjs";

/** Ways to resolve an import that ES modules never take. */
const NOT_ESM = new Set(["node10", "node16-cjs"]);

/**
 * What publint, and for a package with types Are The Types Wrong, finds in a packed folder, as sentences. Publint's
 * suggestions count too. PK-62
 * @param {string} folder
 */
export async function lintProblems(folder) {
  const { messages, pkg } = await publint({ pkgDir: folder, pack: false });
  const fromPublint = messages.map((message) => `publint: ${formatMessage(message, pkg, { color: false })}`);
  return [...fromPublint, ...(await typeProblems(folder))];
}

/** The profile "esm-only": what an ES module or a bundler gets from each entry. */
async function typeProblems(folder) {
  const { name, version, exports = {} } = readJson(join(folder, "package.json"));
  if (!/\.d\.[cm]?ts"/.test(JSON.stringify(exports))) return [];
  // It loads a TypeScript of its own, which packages without types need not wait for.
  const { checkPackage, Package } = await import("@arethetypeswrong/core");
  const { problemKindInfo } = await import("@arethetypeswrong/core/problems");
  const files = filesBelow(folder).map((file) => [`/node_modules/${name}/${file}`, readFileSync(join(folder, file))]);
  const { problems } = await checkPackage(new Package(Object.fromEntries(files), name, version));
  const sentences = problems
    .filter(({ resolutionKind }) => !NOT_ESM.has(resolutionKind))
    .map((problem) => `types: ${problemKindInfo[problem.kind].title}: ${placeOf(problem)}`);
  return [...new Set(sentences)]; // some occur once for each way to resolve
}

function placeOf({ entrypoint, resolutionKind, typesFileName, fileName, moduleSpecifier }) {
  if (entrypoint) return `the entry ${entrypoint} (${resolutionKind})`;
  const file = (typesFileName ?? fileName).replace(/^\/node_modules\//, "");
  return moduleSpecifier ? `${file} imports ${moduleSpecifier}` : file;
}
