import { readFileSync } from "node:fs";
import { join } from "node:path";
import { ROOT } from "../steps.mjs";
import { SOURCE_SCOPE } from "./scope.mjs";

const REPOSITORY_FIELDS = ["version", "license", "engines"];
const OWN_FIELDS = ["name", "description", "keywords", "bin", "peerDependencies", "peerDependenciesMeta"];

/**
 * The package.json of a packed package: what its source says, the repository's version and license, and dependencies
 * with the versions of the catalog. Workspace packages are left out, because they are bundled. PK-62, PK-65
 * @param {Record<string, unknown>} source
 * @param {Record<string, unknown>} more Fields that packing decides, such as `exports`.
 */
export function packedManifest(source, more) {
  const repository = readJson(join(ROOT, "package.json"));
  const own = (object, names) =>
    Object.fromEntries(names.flatMap((name) => (name in object ? [[name, object[name]]] : [])));
  return {
    ...own(source, OWN_FIELDS),
    ...own(repository, REPOSITORY_FIELDS),
    type: "module",
    publishConfig: { access: "public", provenance: true },
    ...builtFrom(process.env.GITHUB_REPOSITORY),
    dependencies: withVersions(source.dependencies ?? {}),
    ...more,
  };
}

/** A workflow's packages name its repository: npm rejects provenance of any other. PK-65 */
function builtFrom(repository) {
  return repository ? { repository: { type: "git", url: `git+https://github.com/${repository}.git` } } : {};
}

function withVersions(dependencies) {
  const catalog = readCatalog();
  return Object.fromEntries(
    Object.entries(dependencies)
      .filter(([name]) => !name.startsWith(`${SOURCE_SCOPE}/`))
      .map(([name, range]) => [name, range === "catalog:" ? catalog.get(name) : range]),
  );
}

/** The versions in pnpm-workspace.yaml, whose catalog has one `name: range` a line. */
function readCatalog() {
  const text = readFileSync(join(ROOT, "pnpm-workspace.yaml"), "utf8");
  const [, block = ""] = /^catalog:\n((?:(?: {2}.*)?\n)*)/m.exec(text) ?? [];
  return new Map([...block.matchAll(/^ {2}"?([^\s"#:]+)"?: ([^\s#]+)/gm)].map(([, name, range]) => [name, range]));
}

export const readJson = (path) => JSON.parse(readFileSync(path, "utf8"));
