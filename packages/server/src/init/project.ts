import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { type ParseError, parse } from "jsonc-parser";
import { UnsureError } from "./unsure.ts";

/** What is read of a package.json. */
export type Manifest = {
  name?: string;
  version?: string;
  packageManager?: string;
  workspaces?: readonly string[] | { packages?: readonly string[] };
  scripts?: Record<string, string>;
  dependencies?: Record<string, string>;
  devDependencies?: Record<string, string>;
};

/** The text of a file in the project; undefined if there is none. */
export function readIn(project: string, path: string): string | undefined {
  const file = join(project, path);
  return existsSync(file) ? readFileSync(file, "utf8") : undefined;
}

/** The project's package.json. Throws UnsureError without one. */
export function readManifest(project: string): Manifest {
  const text = readIn(project, "package.json");
  if (text === undefined)
    throw new UnsureError(`${project} has no package.json. Run this in the folder of your product.`);
  return parseJson("package.json", text) as Manifest;
}

/** JSON, with the comments and trailing commas that tsconfig.json may have. Throws UnsureError. */
export function parseJson(path: string, text: string): unknown {
  const errors: ParseError[] = [];
  const value: unknown = parse(text, errors, { allowTrailingComma: true });
  if (errors.length > 0) throw new UnsureError(`${path} is not valid JSON.`);
  return value;
}

/** The versions that package.json asks for. */
export const dependenciesOf = ({ dependencies, devDependencies }: Manifest): Record<string, string> => ({
  ...devDependencies,
  ...dependencies,
});

/** Major, minor and patch of a library's version. `isInstalled`: not only asked for. */
export type Version = { parts: readonly number[]; isInstalled: boolean };

/** The version of an installed library, or else the lowest that package.json asks for. */
export function versionOf(project: string, name: string, manifest: Manifest): Version | undefined {
  const installed = installedVersion(project, name);
  const [, ...parts] = /(\d+)(?:\.(\d+))?(?:\.(\d+))?/.exec(installed ?? dependenciesOf(manifest)[name] ?? "") ?? [];
  if (parts.length === 0) return undefined;
  return { parts: parts.map((part = "0") => Number(part)), isInstalled: installed !== undefined };
}

/** Whether a version is older than another one. */
export function isOlder(parts: readonly number[], than: readonly number[]): boolean {
  const differing = than.findIndex((part, at) => part !== parts[at]);
  return differing !== -1 && (parts[differing] ?? 0) < (than[differing] ?? 0);
}

function installedVersion(project: string, name: string): string | undefined {
  const folder = installedFolder(project, name);
  return folder === undefined ? undefined : readManifest(folder).version;
}

/** Where a library of the project is installed; a workspace installs them in a folder above. */
export function installedFolder(project: string, name: string): string | undefined {
  for (let folder = project; ; folder = dirname(folder)) {
    const installed = join(folder, "node_modules", name);
    if (existsSync(join(installed, "package.json"))) return installed;
    if (dirname(folder) === folder) return undefined;
  }
}
