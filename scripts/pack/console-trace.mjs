import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { dirname, join, resolve, sep } from "node:path";
import { ROOT } from "../steps.mjs";

const ADMIN = join(ROOT, "apps/admin");
const NEXT = join(ADMIN, ".next");
/** The configuration of the build, and what it is made of. */
const REQUIRED = "required-server-files.json";
/** Only the image optimizer uses them, which the console switches off: 19 MB. */
const UNUSED = /^(sharp|@img\/.+|detect-libc|semver)$/;
/** What the build leaves that no server reads. */
const NOT_SERVED = new Set([
  "cache",
  "diagnostics",
  "types",
  "trace",
  "trace-build",
  "turbopack",
  "export-marker.json",
]);

/**
 * Copies the built console into `folder`: its build in `.next`, and of Next and its libraries the files that the build
 * traced, in `node_modules`. PK-16
 */
export function copyConsole(folder) {
  copyBuild(join(folder, ".next"));
  for (const [to, file] of tracedLibraries()) copy(file, join(folder, "node_modules", to));
  const required = JSON.parse(readFileSync(join(NEXT, REQUIRED), "utf8"));
  writeFileSync(join(folder, ".next", REQUIRED), JSON.stringify(withoutPaths(required)));
  writeFileSync(join(folder, "package.json"), `${JSON.stringify({ private: true, type: "module" })}\n`);
}

function copyBuild(to) {
  for (const name of readdirSync(NEXT)) {
    if (
      NOT_SERVED.has(name) ||
      name.startsWith(".") ||
      name.startsWith("required-server-files") ||
      name.endsWith(".nft.json")
    )
      continue;
    cpSync(join(NEXT, name), join(to, name), { recursive: true, filter: (file) => !file.endsWith(".nft.json") });
  }
}

/** Where each file goes in a `node_modules` without links, and where it is. */
function tracedLibraries() {
  const found = new Map();
  for (const trace of ["next-server.js.nft.json", ...tracesBelow("server")]) {
    const { files } = JSON.parse(readFileSync(join(NEXT, trace), "utf8"));
    for (const file of files) {
      const path = resolve(NEXT, dirname(trace), file);
      const [library, inLibrary] = libraryOf(path);
      if (library === undefined || UNUSED.test(library) || !existsSync(path)) continue;
      if (statSync(path).isFile()) found.set(join(library, inLibrary), realpathSync(path));
    }
  }
  return found;
}

const tracesBelow = (folder) =>
  readdirSync(join(NEXT, folder), { recursive: true })
    .filter((name) => name.endsWith(".nft.json"))
    .map((name) => join(folder, name));

/** The library that a file belongs to, and its path there. */
function libraryOf(path) {
  const inside = path.split(`${sep}node_modules${sep}`).slice(1).at(-1);
  if (inside === undefined) return [];
  const parts = inside.split(sep);
  const length = inside.startsWith("@") ? 2 : 1;
  return [parts.slice(0, length).join("/"), parts.slice(length).join("/")];
}

function copy(from, to) {
  mkdirSync(dirname(to), { recursive: true });
  cpSync(from, to);
}

/** Folders of the machine that built it do not belong into a package, and no server reads them. */
function withoutPaths(value) {
  if (typeof value === "string") return value.startsWith(ROOT.replace(/[/\\]$/, "")) ? undefined : value;
  if (Array.isArray(value)) return value.map(withoutPaths);
  if (value === null || typeof value !== "object") return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, withoutPaths(member)]));
}
