import { existsSync, realpathSync } from "node:fs";
import { cp } from "node:fs/promises";
import { dirname, join } from "node:path";
import { readJson } from "./manifest.mjs";

/**
 * Copies the libraries that `names` need, as they are installed for `from`, into `to/node_modules`: in the versions of
 * the lock file, without a registry. A library is at the top unless another version of it is there already; then it is
 * below the one that needs it. OP-02
 * @param {{ names: Iterable<string>, from: string, to: string }} options `from`: a folder with node_modules.
 */
export async function copyLibraries({ names, from, to }) {
  const placed = new Map();
  for (const name of names) await place({ name, from, holder: to, top: to, placed });
}

/** `holder`: the library that needs this one, where it was copied to. */
async function place({ name, from, holder, top, placed }) {
  const source = installedPlace(from, name);
  if (source === undefined) throw new Error(`${name} is not installed for ${from}`);
  const atTop = join(top, "node_modules", name);
  const target = [undefined, source].includes(placed.get(atTop)) ? atTop : join(holder, "node_modules", name);
  if (placed.get(target) === source) return;
  placed.set(target, source);
  await cp(source, target, { recursive: true, filter: (path) => isOwnFile(source, path) });
  const { dependencies = {}, optionalDependencies = {} } = readJson(join(source, "package.json"));
  for (const needed of Object.keys({ ...dependencies, ...optionalDependencies })) {
    if (needed in optionalDependencies && installedPlace(source, needed) === undefined) continue; // of another platform
    await place({ name: needed, from: source, holder: target, top, placed });
  }
}

/** Libraries below it are placed one by one. */
const isOwnFile = (source, path) => !path.slice(source.length).includes("/node_modules");

/** Where Node finds a library for a module in `from`, without the links. Undefined if it is not installed. */
export function installedPlace(from, name) {
  for (let folder = from; ; folder = dirname(folder)) {
    const candidate = join(folder, "node_modules", name);
    if (existsSync(candidate)) return realpathSync(candidate);
    if (dirname(folder) === folder) return undefined;
  }
}
