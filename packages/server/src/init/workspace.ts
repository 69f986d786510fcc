import { existsSync, readdirSync, realpathSync } from "node:fs";
import { join, relative, sep } from "node:path";
import { dependenciesOf, installedFolder, type Manifest, readIn, readManifest } from "./project.ts";

/** Whether the project is the root of a workspace, which has packages of its own. */
export const isWorkspaceRoot = (project: string, manifest: Manifest): boolean =>
  patternsOf(project, manifest) !== undefined;

/** The packages of a workspace that depend on one of these libraries, with the first of them. */
export function packagesWith(
  libraries: readonly string[],
  root: string,
  manifest: Manifest,
): { folder: string; library: string }[] {
  return packagesBelow(root, manifest).flatMap((folder) => {
    const has = dependenciesOf(readManifest(join(root, folder)));
    const library = libraries.find((name) => has[name] !== undefined);
    return library === undefined ? [] : [{ folder, library }];
  });
}

/** The folders of a workspace's packages, relative to its root. A pattern may end in one `*`. */
function packagesBelow(root: string, manifest: Manifest): string[] {
  const folders = (patternsOf(root, manifest) ?? []).flatMap((pattern) => {
    if (!pattern.endsWith("/*")) return [pattern];
    const parent = pattern.slice(0, -2);
    if (!existsSync(join(root, parent))) return [];
    return readdirSync(join(root, parent)).map((name) => `${parent}/${name}`);
  });
  return [...new Set(folders)].filter((folder) => existsSync(join(root, folder, "package.json"))).toSorted();
}

/** A package of the same workspace that the project depends on. `folder`: relative to the project. */
export type Neighbour = { name: string; folder: string };

/** Those that are linked, not installed from a registry: their files are outside of every node_modules. */
export function neighboursOf(project: string, manifest: Manifest): Neighbour[] {
  return Object.keys(dependenciesOf(manifest)).flatMap((name) => {
    const installed = installedFolder(project, name);
    if (installed === undefined) return [];
    const folder = relative(realpathSync(project), realpathSync(installed));
    return folder.split(sep).includes("node_modules") ? [] : [{ name, folder: folder.replaceAll(sep, "/") }];
  });
}

/** What package.json says to npm, yarn and bun, and a file of its own to pnpm. Undefined outside of a workspace. */
function patternsOf(root: string, { workspaces }: Manifest): readonly string[] | undefined {
  if (workspaces !== undefined) return "length" in workspaces ? workspaces : (workspaces.packages ?? []);
  const [, list] =
    /^packages:[^\n]*\n((?:[ \t]*(?:-.*|#.*)?(?:\n|$))*)/m.exec(readIn(root, "pnpm-workspace.yaml") ?? "") ?? [];
  if (list === undefined) return undefined;
  return [...list.matchAll(/^\s*-\s*["']?([^"'\s#]+)/gm)].flatMap(([, pattern]) => pattern ?? []);
}
