import { readdirSync, readFileSync, realpathSync } from "node:fs";
import { join } from "node:path";
import { ROOT } from "../steps.mjs";
import { installedPlace } from "./libraries.mjs";

const LICENSE_FILE = /^(licen[cs]e|copying|notice)([.-].*)?$/i;

/**
 * The licenses of the libraries that a package contains, as one text: MIT and its like require that copies keep it.
 * @param {Iterable<string>} files Paths of bundled sources, relative to the repository's root.
 * @param {Iterable<string>} workspaces Folders with a package.json, of which all dependencies count.
 */
export function thirdPartyLicenses(files, workspaces) {
  const folders = new Set();
  for (const file of files) {
    const [library] = /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(file) ?? [];
    if (library !== undefined) folders.add(realpathSync(join(ROOT, library)));
  }
  for (const workspace of workspaces) addDependencies(join(ROOT, workspace), folders);
  const entries = [...folders].map(licenseOf).filter((entry) => entry !== undefined);
  return [...new Set(entries)].toSorted().join(`\n${"-".repeat(80)}\n\n`);
}

function addDependencies(folder, folders) {
  const { dependencies = {} } = readManifest(folder);
  for (const name of Object.keys(dependencies).filter((one) => !one.startsWith("@types/"))) {
    const found = installedPlace(folder, name);
    if (found === undefined || folders.has(found)) continue;
    if (!isOurs(found)) folders.add(found);
    addDependencies(found, folders);
  }
}

function licenseOf(folder) {
  if (isOurs(folder)) return undefined;
  const { name, version, license, author } = readManifest(folder);
  const file = readdirSync(folder).find((one) => LICENSE_FILE.test(one));
  const by = typeof author === "string" ? author : author?.name;
  const text = file ? readFileSync(join(folder, file), "utf8").trim() : `${license}${by ? `, by ${by}` : ""}`;
  return `${name} ${version}\n\n${text}\n`;
}

const isOurs = (folder) => !folder.includes("node_modules");
const readManifest = (folder) => JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
