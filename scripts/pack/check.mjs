import { existsSync, readdirSync, readFileSync } from "node:fs";
import { builtinModules } from "node:module";
import { dirname, join } from "node:path";
import { build } from "esbuild";
import { readJson } from "./manifest.mjs";

const SOURCE_PROTOCOLS = /"(workspace|catalog):/;
const INSTALL_SCRIPTS = ["preinstall", "install", "postinstall", "prepare"];
const TYPE_IMPORT = /(?:from|import) '([^'.][^']*)'/g;

/**
 * What must not be in a packed folder, as sentences: paths that do not exist, libraries that package.json does not
 * list, scripts that run at installation, and names of packages that are not published. PK-61, PK-62
 * @param {string} folder
 * @param {{ scope: string, published: readonly string[], foreign?: RegExp }} names `published`: patterns of names
 *   without the scope. `foreign`: paths of files that another build made for itself.
 */
export async function problemsOf(folder, { scope, published, foreign }) {
  const manifest = readJson(join(folder, "package.json"));
  const files = filesBelow(folder).filter((file) => !foreign?.test(file));
  return [
    ...(SOURCE_PROTOCOLS.test(JSON.stringify(manifest)) ? ["package.json names workspace: or catalog:"] : []),
    ...INSTALL_SCRIPTS.filter((name) => manifest.scripts?.[name]).map((name) => `package.json has a script ${name}`),
    ...targetsOf(manifest.exports ?? {})
      .filter((target) => !existsSync(join(folder, target)))
      .map((target) => `package.json exports ${target}, which does not exist`),
    ...files.flatMap((file) => privateNames(folder, file, scope, published)),
    ...(await unlistedImports(folder, files, manifest)),
  ];
}

const targetsOf = (value) => (typeof value === "string" ? [value] : Object.values(value).flatMap(targetsOf));

export const filesBelow = (folder) =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath ?? entry.path, entry.name).slice(folder.length + 1));

function privateNames(folder, file, scope, published) {
  if (!/\.(m?js|d\.m?ts|json|md)$/.test(file)) return [];
  const names = readFileSync(join(folder, file), "utf8").matchAll(new RegExp(`${scope}/([\\w-]+)`, "g"));
  const isPublished = new RegExp(`^(${published.join("|")})$`);
  return [...new Set([...names].map(([, name]) => name))]
    .filter((name) => !isPublished.test(name))
    .map((name) => `${file} names the private package ${scope}/${name}`);
}

async function unlistedImports(folder, files, manifest) {
  const listed = new Set([
    ...Object.keys(manifest.dependencies ?? {}),
    ...Object.keys(manifest.peerDependencies ?? {}),
  ]);
  const isAllowed = (path) => path.startsWith(manifest.name) || listed.has(packageOf(path)) || isOfNode(path);
  const imports = [
    ...(await codeImports(
      folder,
      files.filter((file) => /\.m?js$/.test(file)),
    )),
    ...files.filter((file) => file.endsWith(".d.ts")).flatMap((file) => typeImports(folder, file)),
  ];
  return imports
    .filter(({ path }) => !isAllowed(path))
    .filter(({ file, path }) => !existsSync(join(folder, dirname(file), "node_modules", packageOf(path))))
    .map(({ file, path }) => `${file} imports ${path}, which package.json does not list`);
}

const isOfNode = (name) => name.startsWith("node:") || builtinModules.includes(name);
const packageOf = (path) =>
  path
    .split("/")
    .slice(0, path.startsWith("@") ? 2 : 1)
    .join("/");

/** The libraries that each file loads. */
export async function codeImports(folder, files) {
  const { metafile } = await build({
    entryPoints: files,
    absWorkingDir: folder,
    outdir: "unused",
    bundle: true,
    packages: "external",
    platform: "node",
    format: "esm",
    write: false,
    metafile: true,
    logLevel: "silent",
  });
  return Object.entries(metafile.inputs).flatMap(([file, { imports }]) =>
    imports.filter(({ external }) => external).map(({ path }) => ({ file, path })),
  );
}

const typeImports = (folder, file) =>
  [...readFileSync(join(folder, file), "utf8").matchAll(TYPE_IMPORT)].map(([, path]) => ({ file, path }));
