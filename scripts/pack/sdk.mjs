import { cp, mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { build } from "esbuild";
import { ROOT } from "../steps.mjs";
import { packedManifest, readJson } from "./manifest.mjs";
import { bundleTypes } from "./types.mjs";

const SOURCE = join(ROOT, "packages/sdk");
/** These run in the browser. Every other entry throws there. PK-61 */
const BROWSER_ENTRIES = new Set(["./react", "./trpc/client"]);
/** Runtimes that are no browser, although their bundlers set the condition `browser` too. */
const SERVER_CONDITIONS = ["edge-light", "workerd"];

/**
 * Writes the package @gatehouse/sdk into `folder`: one file per entry and the chunks they share, with types. Workspace
 * packages are bundled, dependencies and peers are not. PK-61
 * @param {string} folder
 * @param {{ types?: boolean }} options Without `types`, which take most of the time, its code is the same.
 */
export async function buildSdk(folder, { types = true } = {}) {
  const source = readJson(join(SOURCE, "package.json"));
  const manifest = packedManifest(source, {});
  const entries = entriesOf(source.exports);
  const external = [...Object.keys(manifest.dependencies), ...Object.keys(manifest.peerDependencies ?? {})];
  const options = { entries: sourcesOf(entries), dist: join(folder, "dist"), external };
  const bundles = [bundleCode(options)];
  if (types) bundles.push(bundleTypes({ ...options, tsconfig: join(SOURCE, "tsconfig.json") }));
  await Promise.all(bundles);
  for (const [subpath, { name }] of entries) if (isServerOnly(subpath)) await writeBrowserStub(folder, subpath, name);
  const exports = Object.fromEntries([...entries].map(([subpath, { name }]) => [subpath, exportOf(subpath, name)]));
  const fields = { sideEffects: false, files: ["dist"], exports: { ...exports, "./package.json": "./package.json" } };
  await writeFile(join(folder, "package.json"), `${JSON.stringify({ ...manifest, ...fields }, null, 2)}\n`);
  await cp(join(SOURCE, "README.md"), join(folder, "README.md"));
}

/** The entries of `exports`, by subpath, with their names in dist and their sources. */
function entriesOf(exports) {
  return new Map(
    Object.entries(exports).map(([subpath, source]) => {
      if (typeof source !== "string" || !/\.tsx?$/.test(source))
        throw new Error(`packages/sdk/package.json: exports["${subpath}"] must be the path of a TypeScript file`);
      return [subpath, { name: subpath === "." ? "index" : subpath.slice(2), source }];
    }),
  );
}

const sourcesOf = (entries) =>
  Object.fromEntries([...entries.values()].map(({ name, source }) => [name, join(SOURCE, source)]));

const isServerOnly = (subpath) => !BROWSER_ENTRIES.has(subpath);

function exportOf(subpath, name) {
  const file = `./dist/${name}.js`;
  const types = `./dist/${name}.d.ts`;
  if (!isServerOnly(subpath)) return { types, default: file };
  const servers = Object.fromEntries(SERVER_CONDITIONS.map((condition) => [condition, file]));
  return { types, ...servers, browser: `./dist/browser/${name}.js`, default: file };
}

async function bundleCode({ entries, dist, external }) {
  await build({
    entryPoints: entries,
    outdir: dist,
    absWorkingDir: ROOT,
    bundle: true,
    splitting: true,
    format: "esm",
    platform: "neutral",
    target: "node20.9",
    jsx: "automatic",
    chunkNames: "chunks/[name]-[hash]",
    external: [...external, "node:*"],
    logLevel: "silent",
  });
}

/**
 * PK-61: what a bundle for the browser gets. Bundlers cannot resolve its import and fail with that sentence, where
 * an export that is missing would be a warning of webpack.
 */
async function writeBrowserStub(folder, subpath, name) {
  const sentence = `${join("@gatehouse/sdk", subpath)} runs on the server only - in the browser, use @gatehouse/sdk/react`;
  const file = join(folder, "dist/browser", `${name}.js`);
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, `import ${JSON.stringify(sentence)};\nthrow new Error(${JSON.stringify(sentence)});\n`);
}
