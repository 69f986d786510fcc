import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { filesBelow } from "../pack/check.mjs";
import type { Component } from "./sbom.ts";

/** What we build ourselves, in the packed server and the folder of the image. */
const OURS = [
  /^(bin|dist|migrations|public)\//,
  /^console\/(\.next\/|start\.mjs$|serve\.mjs$|package\.json$)/,
  /^(package\.json|README\.md|LICENSE|THIRD-PARTY-LICENSES\.txt)$/,
];
const LIBRARY = /^(.*node_modules\/(?:@[^/]+\/)?[^/]+)\//;
/** The head of each entry of the licenses that a package keeps. */
const ENTRY = /^(?:^|-{80}\n\n)((?:@[^/\s]+\/)?[^\s]+) (\d\S*)\n/gm;

/**
 * What of a packed server is neither built by us nor of a component of the SBOM, as sentences. Libraries count by name
 * and version: those that lie in `node_modules`, and those that the bundles contain, which the text of the licenses
 * names. OP-98
 */
export function unexplained(folder: string, components: readonly Component[]): string[] {
  const known = new Set(components.map(({ name, version }) => `${name} ${version}`));
  const versions = new Map<string, string>();
  const files = filesBelow(folder).flatMap((file) => {
    const [, library] = LIBRARY.exec(file) ?? [];
    if (library === undefined) return OURS.some((own) => own.test(file)) ? [] : [`${file} is nobody's`];
    const found = versions.get(library) ?? readVersion(join(folder, library));
    versions.set(library, found);
    return known.has(found) ? [] : [`${file} is of ${found}, which is not in the SBOM`];
  });
  const licenses = join(folder, "THIRD-PARTY-LICENSES.txt");
  const bundled = existsSync(licenses) ? [...readFileSync(licenses, "utf8").matchAll(ENTRY)] : [];
  return [
    ...files,
    ...bundled
      .map(([, name, version]) => `${name} ${version}`)
      .filter((one) => !known.has(one))
      .map((one) => `the bundles contain ${one}, which is not in the SBOM`),
  ];
}

/** The name and version of a library. Next ships some that it compiled without a manifest of their own. */
function readVersion(folder: string): string {
  const manifest = join(folder, "package.json");
  if (!existsSync(manifest)) return `${folder} without a manifest`;
  const { name, version } = JSON.parse(readFileSync(manifest, "utf8"));
  return `${name} ${version}`;
}
